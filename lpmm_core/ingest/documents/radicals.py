"""Radicals back to ideographs: 青石镇 must be one name, not ⻘⽯镇.

A font draws a radical and the ideograph it is with one glyph, and a PDF that was printed by a browser says of the glyph which radical it
is. The Kangxi radicals are what Unicode calls compatible with their ideographs; for the CJK radicals supplement it has a list,
EquivalentUnifiedIdeograph.txt (Unicode 14), which stands here.
"""

from __future__ import annotations

import unicodedata

_RADICALS = (
    "⺁⺂⺃⺄⺅⺆⺇⺈⺉⺊⺋⺌⺍⺎⺏⺐⺑⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮⺯⺰⺱⺲⺳⺴⺵⺶⺷⺸⺹⺺"
    "⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻞⻟⻠⻡⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳"
)
_IDEOGRAPHS = (
    "厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀"
    "聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟"
)
_KANGXI = range(0x2F00, 0x2FD6)

AS_IDEOGRAPHS = {ord(radical): ideograph for radical, ideograph in zip(_RADICALS, _IDEOGRAPHS, strict=True)} | {
    code: unicodedata.normalize("NFKC", chr(code)) for code in _KANGXI
}
"""For `str.translate`."""
