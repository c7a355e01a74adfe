"""Names that a regular expression knows for certain: e-mail, URL, phone, money, handle and date, in both languages (MT-11).

What a pattern matches is that kind of thing whatever the words around it say, so these mentions have confidence 1 and win over
every other reading of the same characters. Dates are those with a name of their own (a year, a month, a weekday, a century);
"yesterday" and "上周" name nothing by themselves and are left to the resolving of times. Each expression is bounded and cannot
backtrack over more than a few dozen characters.
"""

from __future__ import annotations

import re

from lpmm_core.base.records import Kind, Mention

_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?|Aug(?:ust|\.)?|Sept?(?:ember|\.)?"
    r"|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_DAY = r"(?:3[01]|[12]?\d|0[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:1\d{3}|20\d{2})"
_NUMBER = r"\d{1,3}(?:[,，]\d{3}){1,6}(?:\.\d{1,4})?|\d{1,15}(?:\.\d{1,4})?"
_SCALE = r"(?:\s?(?:thousand|million|billion|trillion|bn|mn|[kKmMbB](?![A-Za-z])|万亿|百万|千万|[百千万亿]))?"
_CENTURY = r"(?:nine|eigh|seven|six|fif|four|thir)teenth|twelfth|eleventh|tenth|twentieth|twenty-first"
_CURRENCY = (
    r"(?:(?:US|Australian|Canadian|Hong Kong|Singapore)\s)?"
    r"(?:dollars?|euros?|pounds?(?:\ssterling)?|yen|yuan|renminbi|rubles?|roubles?|rupees?|francs?|cents?|USD|EUR|GBP|JPY|CNY|RMB)(?![A-Za-z])"
)
_ZH_CURRENCY = r"(?:元人民币|人民币|美元|欧元|英镑|日元|港元|港币|块钱|元|卢布|韩元|法郎)"
_ZH_DIGITS = "〇零一二三四五六七八九十"

_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        Kind.EMAIL,
        re.compile(
            r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])"
        ),
    ),
    (
        Kind.URL,
        re.compile(
            r"(?:https?://|ftp://|www\.)[A-Za-z0-9][A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]{1,500}"
            r"|(?<![A-Za-z0-9@._-])(?:[A-Za-z0-9-]{1,40}\.){1,4}(?:com|org|net|io|edu|gov|cn|dev)(?:/[A-Za-z0-9\-._~:/?#@!$&*+=%]{0,300})?(?![A-Za-z0-9])"
        ),
    ),
    (
        Kind.PHONE,
        re.compile(
            r"(?<![\w+])\+\d{1,3}[ -]?(?:\(\d{1,4}\)[ -]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,4}(?!\d)"
            r"|(?<![\w-])(?:\(\d{3}\)\s?|\d{3}[-.])\d{3}[-.]\d{4}(?![\d-])"
            r"|(?<![\d-])1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![\d-])"
            r"|(?<![\d-])(?:0\d{2,3}-|\(0\d{2,3}\)\s?|（0\d{2,3}）)\d{7,8}(?![\d-])"
            r"|(?<![\d-])[48]00-\d{3}-?\d{4}(?![\d-])"
        ),
    ),
    (
        Kind.MONEY,
        re.compile(
            rf"(?:US|HK|A|C|NT)?[$€£¥￥₹]\s?(?:{_NUMBER}){_SCALE}(?!\d)"
            rf"|(?<![\w.])(?:USD|EUR|GBP|RMB|CNY|JPY)\s?(?:{_NUMBER}){_SCALE}(?!\d)"
            rf"|(?<![\w.,])(?:{_NUMBER}){_SCALE}\s?{_CURRENCY}"
            rf"|(?<![A-Za-z0-9.,])(?:{_NUMBER}){_SCALE}(?:多|余)?{_ZH_CURRENCY}(?!件|素|旦|年|月)"
            rf"|[一二两三四五六七八九十百千万亿半]{{1,12}}(?:多|余)?(?:块钱|美元|欧元|英镑|日元|港币|元钱)"
        ),
    ),
    (Kind.HANDLE, re.compile(r"(?<![\w.@/])@[A-Za-z0-9_\u4e00-\u9fff](?:[\w.-]{0,28}\w)(?![\w@])")),
    (
        Kind.DATE,
        re.compile(
            rf"(?<![A-Za-z\d.-]){_YEAR}[-/.](?:1[0-2]|0?[1-9])[-/.](?:3[01]|[12]\d|0?[1-9])(?!\d)"
            rf"|\b{_DAY}(?:\sof)?\s{_MONTH}(?:,?\s{_YEAR})?(?![A-Za-z\d])"
            rf"|\b{_MONTH}\s{_DAY}(?:\s?[–-]\s?{_DAY})?(?:,?\s{_YEAR})?(?![A-Za-z\d])"
            rf"|\b{_MONTH},?\s(?:of\s)?{_YEAR}(?!\d)"
            rf"|(?<=\b[Ii]n ){_MONTH}(?![A-Za-z])"
            rf"|\b(?:early|mid|late)?[ -]?(?:1\d|20)\d0s\b"
            r"|(?<=[Oo]n )(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
            rf"|\b(?:[12]?\d(?:st|nd|rd|th)|{_CENTURY})[ -]century(?:\s(?:BCE?|AD|CE)\b)?"
            r"|\b\d{1,4}\s(?:BCE?|AD|CE)\b"
            r"|(?<=\b[Ii]n )(?:1\d{3}|20\d{2})\b(?![-–.,]?\d|\s*(?:[$€£%]|people|men|women|copies|km|miles|metres|meters))"
            r"|(?<=\b(?:by) )(?:1[5-9]\d{2}|20\d{2})\b(?![-–.,]?\d)"
            r"|(?<=\b(?:from) )(?:1[5-9]\d{2}|20\d{2})\b(?![.,]?\d)"
            r"|(?<=\b(?:1[5-9]|20)\d\d to )(?:1[5-9]\d{2}|20\d{2})\b(?![.,]?\d)"
            r"|(?<=\b(?:since|until) )(?:1[5-9]\d{2}|20\d{2})\b(?![.,]?\d)"
            r"|(?<=\(born )(?:1[5-9]\d{2}|20\d{2})\b"
            rf"|(?:公元前?)?(?:\d{{1,4}}|[{_ZH_DIGITS}]{{4}})年(?![前后级代龄])(?:(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:份|底|初|中旬|上旬|下旬)?"
            rf"(?:(?:3[01]|[12]\d|0?[1-9]|[{_ZH_DIGITS}]{{1,3}})[日号])?)?(?:[春夏秋冬]季?)?"
            rf"|(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:3[01]|[12]\d|0?[1-9]|[{_ZH_DIGITS}]{{1,3}})[日号]"
            r"|(?:公元前?|上)?(?:\d{1,2}|[一二三四五六七八九十]{1,3})?世纪(?:(?:\d|[一二三四五六七八九])[0〇零十]年代)?(?:[初中末]期?|前期|后期|中叶|末叶)?"
            r"|(?:1\d|20)?\d0年代(?:[初中末]期?|前期|后期)?"
        ),
    ),
)
# what a text must hold before its pattern is worth the time
_NEEDED = {
    Kind.EMAIL: re.compile("@"),
    Kind.URL: re.compile(r"://|\w\.\w"),
    Kind.PHONE: re.compile(r"\d"),
    Kind.MONEY: re.compile(r"\d|元|块|币|[镑]"),
    Kind.HANDLE: re.compile("@"),
    Kind.DATE: re.compile(rf"\d|世纪|年|月|[Cc]entury|day\b|{_MONTH}"),
}
_SENTENCE_PUNCTUATION = ".,;:!?'\""


def find_patterns(text: str) -> list[Mention]:
    """Every pattern's mentions in `text`, in order, none overlapping: an earlier kind of the list above wins, then the longer match."""
    found: list[Mention] = []
    taken = bytearray(len(text))
    for kind, pattern in _PATTERNS:
        if not _NEEDED[kind].search(text):
            continue
        for match in pattern.finditer(text):
            start, end = _trimmed(text, match.start(), match.end(), kind)
            if end > start and 1 not in taken[start:end] and _plausible(text[start:end], kind):
                taken[start:end] = b"\x01" * (end - start)
                found.append(Mention(text[start:end], kind, start, end, 1.0))
    return sorted(found, key=lambda mention: mention.start)


def _trimmed(text: str, start: int, end: int, kind: Kind) -> tuple[int, int]:
    """Leave out spaces, the full stop of the sentence after a URL and a bracket that was opened before it."""
    while start < end and text[start].isspace():
        start += 1
    if kind is Kind.URL:
        while end > start and (
            text[end - 1] in _SENTENCE_PUNCTUATION or (text[end - 1] == ")" and "(" not in text[start:end])
        ):
            end -= 1
    return start, end


def _plausible(found: str, kind: Kind) -> bool:
    if kind is Kind.PHONE:
        return 7 <= sum(c.isdigit() for c in found) <= 15
    if kind is Kind.DATE:  # a bare "世纪" is a word, "1年" a span of time
        if found.endswith("年") and "公元" not in found:
            return len(found) == 5
        return found != "世纪" and not (found.startswith("上") and found == "上世纪")
    return True
