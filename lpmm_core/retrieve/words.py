"""The sentences that results say, in Chinese and English."""

from __future__ import annotations

import re
from typing import Any

_SENTENCES: dict[str, tuple[str, str]] = {
    "empty question": ("没有问题，就没有答案。", "There is no question, so there is no answer."),
    "empty memory": ("记忆还是空的。", "The memory is still empty."),
    "by words": ("按字词查找", "by words"),
    "by meaning": ("按语义查找", "by meaning"),
    "by both": ("字词与语义合起来查找", "by words and meaning together"),
    "by graph": ("从 {facts} 条事实出发，沿图查找", "over the graph, from {facts} facts"),
    "no vectors": ("没有可用的向量，改为按字词查找", "there are no vectors, so by words"),
    "no fact": ("没有足够接近的事实，改为{fallback}", "no fact is near enough, so {fallback}"),
    "far": (
        "记忆里没有与这个问题相近的内容，以下只是相对最近的几段。",
        "Nothing in this memory is near this question; these are merely the nearest passages there are.",
    ),
    "filter failed": ("语言模型没能筛选事实：{reason}", "the language model could not judge the facts: {reason}"),
    "states": ("这里说到“{fact}”", "It states “{fact}”"),
    "denied": ("{fact}（否认）", "{fact} (denied)"),
    "leads": ("“{fact}”把问题引到{entity}", "“{fact}” leads the question to {entity}"),
    "leads on": ("“{fact}”从那里引到{entity}", "“{fact}” leads from there to {entity}"),
    "together": ("{entity}与{other}在另一段里同时出现", "{entity} and {other} stand together in another passage"),
    "alike": ("{entity}与{other}名字相近", "{entity} and {other} are alike by name"),
    "names": ("问题里的{entity}在这一段出现", "{entity}, named in the question, stands here"),
    "mentions": ("这一段提到{entity}", "it mentions {entity}"),
    "near": ("语义上排第 {rank}（{score}）", "number {rank} by meaning ({score})"),
    "words": ("字词上排第 {rank}", "number {rank} by words"),
    "score": ("得分 {score}：{parts}", "score {score}: {parts}"),
    "facts": ("事实 {value}", "facts {value}"),
    "part names": ("名字 {value}", "names {value}"),
    "nearness": ("相近 {value}", "nearness {value}"),
}
_JOINTS = {"zh": ("；", "，", "。"), "en": ("; ", ", ", ".")}


def say(language: str, sentence: str, **values: Any) -> str:
    """Return a sentence, filled."""
    zh, en = _SENTENCES[sentence]
    return (zh if language == "zh" else en).format(**values)


def joined(language: str, clauses: list[str]) -> str:
    """Put clauses into one sentence."""
    between, _, end = _JOINTS["zh" if language == "zh" else "en"]
    text = between.join(clauses)
    return text[:1].upper() + text[1:] + end if text else ""


def listed(language: str, items: list[str]) -> str:
    """Put items side by side."""
    return _JOINTS["zh" if language == "zh" else "en"][1].join(items)


def number(value: float) -> str:
    """Return a score as people write it: .41, -.05."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:z.2f}")
