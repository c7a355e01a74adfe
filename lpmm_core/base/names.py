"""The one rule for names: when two spellings are the same name, and what is not a name at all.

Keys keep every script (a normaliser that keeps only Latin letters turns every Chinese name into the empty string), fold width,
case and white space, drop quotes around the whole, and nothing else: "Ａpple  Inc" and "apple inc" are one name, as are 《红楼梦》 and
红楼梦; "Apple" and "Apple Inc." are two.
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
    """Return the key under which `name` is looked up.

    NFKC, case and white space folded, control characters and quotes around the whole dropped.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return _unquoted(" ".join(unicodedata.normalize("NFKC", _printable(folded)).split()))


def clean_name(name: str) -> str:
    """Return `name` as shown: white space folded, control characters and enclosing quotes dropped, the spelling kept."""
    return _unquoted(" ".join(_printable(name).split()))


_ENCLOSING = frozenset(zip("\"'“‘「『《〈【", "\"'”’」』》〉】", strict=True))


def _printable(text: str) -> str:
    return "".join(c for c in text if unicodedata.category(c)[0] != "C" or c.isspace())


def _unquoted(text: str) -> str:
    """Drop quotes that enclose all of `text`, which those of 《A》与《B》 do not."""
    while len(text) > 1 and (text[0], text[-1]) in _ENCLOSING and not {text[0], text[-1]} & set(text[1:-1]):
        text = text[1:-1].strip()
    return text


def why_not_a_name(name: str) -> str | None:
    """Return why `name` cannot be an entity, or None when it can.

    The reasons are counted and reported: `empty`, `pronoun`, `no letters`, `too long`.
    """
    key = name_key(name)
    if not key:
        return "empty"
    # WHO and IT are names, who and it are not.
    if key in _PRONOUNS and not (len(key) > 1 and name.strip().isupper()):
        return "pronoun"
    if not any(unicodedata.category(c)[0] in "LN" for c in key):
        return "no letters"
    if len(key) > LONGEST_NAME:
        return "too long"
    return None
