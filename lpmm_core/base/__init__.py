"""What every other part stands on: the nouns, the errors, the settings, the clock."""
