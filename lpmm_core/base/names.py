"""The one rule for names: when two spellings are the same name, and what is not a name at all.

Keys keep every script (a normaliser that keeps only Latin letters turns every Chinese name into the empty string), fold width,
case and white space, and nothing else: "Ａpple  Inc" and "apple inc" are one name, "Apple" and "Apple Inc." are two.
"""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 200

_PRONOUNS = frozenset(
    word
    for line in (
        "你 我 他 她 它 您 咱 俺 我们 你们 他们 她们 它们 咱们 大家 自己 本人 别人 人家 这 那 这个 那个 这些 那些",
        "这里 那里 这儿 那儿 其 之 此 该 谁 什么 哪里 哪个 其中 后者 前者 双方 对方 彼此 一个 某人 有人 的 了 地 得",
        "i me my mine you your yours he him his she her hers it its we us our ours they them their theirs",
        "this that these those who whom whose which what where when why how there here one ones someone somebody",
        "anyone anybody everyone everybody nobody something anything everything nothing itself himself herself",
        "themselves myself yourself ourselves each other another such none all both either neither",
    )
    for word in line.split()
)


def name_key(name: str) -> str:
    """Return the key under which `name` is looked up: NFKC, case folded, white space folded, control characters dropped."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    kept = "".join(c if unicodedata.category(c)[0] != "C" or c in "\t\n\r" else "" for c in folded)
    return " ".join(unicodedata.normalize("NFKC", kept).split())


def clean_name(name: str) -> str:
    """Return `name` as shown: white space folded, control characters and enclosing quotes dropped, the spelling kept."""
    kept = "".join(c if unicodedata.category(c)[0] != "C" or c in "\t\n\r" else "" for c in name)
    folded = " ".join(kept.split())
    while len(folded) > 1 and (folded[0], folded[-1]) in _ENCLOSING:
        folded = folded[1:-1].strip()
    return folded


_ENCLOSING = frozenset(zip("\"'“‘「『《〈【", "\"'”’」』》〉】", strict=True))


def why_not_a_name(name: str) -> str | None:
    """Return why `name` cannot be an entity, or None when it can.

    The reasons are counted and reported: `empty`, `pronoun`, `no letters`, `too long`.
    """
    key = name_key(name)
    if not key:
        return "empty"
    if key in _PRONOUNS:
        return "pronoun"
    if not any(unicodedata.category(c)[0] in "LN" for c in key):
        return "no letters"
    if len(key) > LONGEST_NAME:
        return "too long"
    return None
