"""Models from outside the engine: embedding and chat, local ones and OpenAI-compatible endpoints."""
