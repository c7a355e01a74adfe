"""The API does what the page needs, and says no in RFC 9457's form."""

import io

import pytest

from lpmm_core.base.settings import RetrieveSettings


def problem(answer, status, code):
    assert answer.status_code == status, answer.text
    assert answer.mimetype == "application/problem+json"
    assert {"type", "title", "status", "detail", "code"} <= answer.json.keys()
    assert answer.json["code"] == code
    return answer.json


def upload(browser, *files, query=""):
    data = {"files": [(io.BytesIO(body), name) for name, body in files]}
    return browser("POST", f"/sources{query}", data=data, content_type="multipart/form-data")


def find(browser, name):
    return next(item for item in browser("GET", f"/suggestions?q={name}").json["items"] if item["name"] == name)


def test_text_put_in_is_there_before_it_is_read(browser):
    answer = browser("POST", "/sources", json={"name": "起点", "text": "凯文住在海边的钟楼。"})
    assert answer.status_code == 202
    source = answer.json["files"][0]["source"]
    (paragraph,) = browser("GET", f"/sources/{source}/paragraphs").json["items"]
    assert paragraph["text"] == "凯文住在海边的钟楼。"
    assert paragraph["state"] == "waiting"
    assert paragraph["spans"] == []
    assert browser("GET", f"/jobs/{answer.json['job']}").json["state"] == "waiting"


def test_a_paragraph_shows_the_names_found_in_it(filled):
    (source,) = filled("GET", "/sources").json["items"]
    assert source["states"] == {"ready": source["paragraphs"]}
    first = filled("GET", f"/sources/{source['id']}/paragraphs").json["items"][0]
    assert "凯文" in {first["text"][span["start"] : span["end"]] for span in first["spans"]}
    assert filled("GET", f"/paragraphs/{first['id']}").json["id"] == first["id"]


def test_a_name_has_an_entry_with_facts_and_quotations(filled):
    entry = filled("GET", f"/entities/{find(filled, '凯文')['id']}").json
    assert entry["name"] == "凯文"
    assert entry["evidence"][0]["source"]["name"] == "起点.txt"
    fact = filled("GET", f"/facts/{entry['facts'][0]['id']}").json
    assert fact["quotations"][0]["text"]


def test_a_question_comes_back_with_paragraphs_reasons_and_a_path(filled):
    answer = filled("POST", "/retrieve", json={"question": "凯文住在哪里？"}).json
    assert answer["retrieval"]
    first = answer["paragraphs"][0]
    assert "凯文" in first["text"]
    assert first["why"] == [reason["text"] for reason in first["reasons"]]
    assert first["why"]
    assert first["names"]
    path = answer["trace"]["path"]
    assert {"x", "y", "lit", "size"} <= path["nodes"][0].keys()
    assert any(edge["step"] is not None for edge in path["edges"])


def test_as_many_paragraphs_come_as_the_settings_say(filled, spaces):
    memory = spaces.open("default")
    memory.settings = memory.settings.model_copy(update={"retrieve": RetrieveSettings(fact_threshold=-1.0, top_k=2)})
    assert len(filled("POST", "/retrieve", json={"question": "凯文住在哪里？"}).json["paragraphs"]) == 2
    assert len(filled("POST", "/retrieve", json={"question": "凯文住在哪里？", "top_k": 3}).json["paragraphs"]) == 3


def test_questions_come_from_the_memory_itself(filled):
    items = filled("GET", "/questions").json["items"]
    assert items
    assert all(items)


def test_a_subgraph_is_a_part_and_says_so(filled):
    part = filled("GET", "/subgraph?limit=3").json
    assert len(part["nodes"]) == 3
    assert part["total"] > 3
    assert part["truncated"]


def test_a_canvas_grows_around_a_name_and_keeps_what_stands(filled):
    kevin = find(filled, "凯文")["id"]
    before = filled("GET", f"/subgraph?focus={kevin}&limit=1").json["nodes"]
    assert before[0]["hidden"] > 0
    positions = {node["id"]: [node["x"] + 5, node["y"]] for node in before}
    after = filled("POST", "/subgraph", json={"focus": [kevin], "limit": 10, "positions": positions}).json["nodes"]
    assert len(after) > 1
    stays = next(node for node in after if node["id"] == kevin)
    assert [stays["x"], stays["y"]] == positions[kevin]


def test_a_canvas_that_shows_a_deleted_name_still_grows(filled):
    kevin, other = find(filled, "凯文")["id"], find(filled, "花园")["id"]
    assert filled("DELETE", f"/entities/{other}").status_code == 204
    positions = {kevin: [0, 0], other: [50, 0]}
    after = filled("POST", "/subgraph", json={"focus": [kevin], "limit": 10, "positions": positions})
    assert kevin in {node["id"] for node in after.json["nodes"]}
    assert other not in {node["id"] for node in after.json["nodes"]}


def test_a_deleted_name_takes_no_paragraph_from_the_canvas(filled):
    kevin, other = find(filled, "凯文")["id"], find(filled, "花园")["id"]
    before = filled("GET", f"/subgraph?focus={kevin},{other}&limit=20&paragraphs=true").json["nodes"]
    shown = {node["id"]: [node["x"], node["y"]] for node in before}
    paragraphs = {node["id"] for node in before if node["type"] == "paragraph"}
    assert paragraphs
    filled("DELETE", f"/entities/{other}")
    wish = {"focus": [kevin], "limit": 30, "paragraphs": True, "positions": shown}
    after = {node["id"] for node in filled("POST", "/subgraph", json=wish).json["nodes"]}
    assert paragraphs <= after
    assert other not in after


def test_only_paragraphs_are_spoken_of(filled):
    """The engine calls them passages; who uses the API meets one word."""
    description = filled("GET", "/api/v1/openapi.json").text
    assert "passage" not in description.lower()
    kevin = find(filled, "凯文")
    assert kevin["paragraphs"] == 2
    for path in (f"/entities/{kevin['id']}", "/subgraph?paragraphs=true", "/stats", "/sources", "/jobs"):
        assert "passage" not in filled("GET", path).text, path


def test_a_renamed_name_is_by_hand_and_undo_takes_it_back(filled):
    kevin = find(filled, "凯文")
    after = filled(
        "PATCH", f"/entities/{kevin['id']}", json={"name": "凯文·卡斯兰娜", "version": kevin["version"]}
    ).json
    assert after["name"] == "凯文·卡斯兰娜"
    assert after["hand"]
    assert "凯文" in after["aliases"]
    assert filled("POST", "/operations/undo").json["kind"] == "rename"
    assert filled("GET", f"/entities/{kevin['id']}").json["name"] == "凯文"
    assert filled("POST", "/operations/redo").json["kind"] == "rename"
    assert filled("GET", f"/entities/{kevin['id']}").json["name"] == "凯文·卡斯兰娜"
    assert filled("GET", "/operations").json["items"][0]["actor"] == "web"


def test_two_editors_do_not_overwrite_each_other(filled):
    kevin = find(filled, "凯文")
    filled("PATCH", f"/entities/{kevin['id']}", json={"name": "凯", "version": kevin["version"]})
    late = filled("PATCH", f"/entities/{kevin['id']}", json={"name": "文", "version": kevin["version"]})
    assert problem(late, 412, "conflict")


def test_a_stale_tag_is_told_both_versions(filled):
    kevin = find(filled, "凯文")
    address = f"/entities/{kevin['id']}"
    tag = filled("GET", address).headers["ETag"]
    assert tag == f'"{kevin["version"]}"'
    stale = {"If-Match": '"99"'}
    for answer in (
        filled("PATCH", address, json={"name": "凯"}, headers=stale),
        filled("DELETE", address, headers=stale),
        filled("DELETE", address, headers={"If-Match": f"W/{tag}"}),
    ):
        assert problem(answer, 412, "conflict")["now"] == kevin["version"]
    assert problem(filled("DELETE", address, headers=stale), 412, "conflict")["expected"] == 99
    renamed = filled("PATCH", address, json={"name": "凯"}, headers={"If-Match": tag})
    assert renamed.json["name"] == "凯"
    assert renamed.headers["ETag"] == f'"{renamed.json["version"]}"' != tag
    assert filled("PATCH", address, json={"name": "文"}, headers={"If-Match": f'"7777", {tag}'}).status_code == 412
    assert filled("DELETE", address, headers={"If-Match": "*"}).status_code == 204


def test_the_name_it_has_already_makes_no_step_to_undo(filled):
    kevin = find(filled, "凯文")
    before = filled("GET", "/operations").json
    after = filled("PATCH", f"/entities/{kevin['id']}", json={"name": " 凯文 ", "version": kevin["version"]})
    assert after.json["version"] == kevin["version"]
    assert filled("GET", "/operations").json == before


def test_a_name_of_another_is_a_clash_that_names_it(filled):
    kevin, other = find(filled, "凯文"), find(filled, "爱莉希雅")
    clash = problem(filled("PATCH", f"/entities/{kevin['id']}", json={"name": "爱莉希雅"}), 409, "conflict")
    assert clash["other"] == other["id"]


def test_a_deleted_source_takes_its_names_along_and_undo_brings_them_back(filled):
    (source,) = filled("GET", "/sources").json["items"]
    would = filled("GET", f"/deletion?ids={source['id']}").json
    assert would["removes"]["paragraphs"] == source["paragraphs"]
    assert filled("DELETE", f"/sources/{source['id']}").status_code == 204
    assert filled("GET", "/stats").json["entities"] == 0
    filled("POST", "/operations/undo")
    assert filled("GET", "/stats").json["entities"] > 0


def test_nothing_to_undo_is_said_calmly(browser):
    problem(browser("POST", "/operations/undo"), 409, "nothing-to-undo")


def test_a_job_that_waits_can_be_stopped(browser):
    job = browser("POST", "/sources", json={"name": "a", "text": "凯文住在钟楼。"}).json["job"]
    assert browser("POST", f"/jobs/{job}/cancel").json["state"] == "cancelled"
    assert browser("POST", f"/jobs/{job}/retry").json["state"] == "waiting"
    assert [item["id"] for item in browser("GET", "/jobs").json["items"]] == [job]


def test_spaces_are_listed_and_made(browser):
    assert [item["name"] for item in browser("GET", "/api/v1/spaces").json["items"]] == ["default"]
    assert browser("POST", "/api/v1/spaces", json={"name": "故事"}).status_code == 201
    assert browser("GET", "/api/v1/spaces/故事/stats").json["paragraphs"] == 0
    problem(browser("POST", "/api/v1/spaces", json={"name": "故事"}), 409, "conflict")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../up", "\\", "\0", "x" * 101])
def test_a_name_that_leads_elsewhere_makes_no_space(browser, tmp_path, name):
    before = set(tmp_path.parent.rglob("*"))
    answer = browser("POST", "/api/v1/spaces", json={"name": name})
    assert 400 <= answer.status_code < 500
    assert {path for path in tmp_path.parent.rglob("*") if path.is_dir()} <= before


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/sources/nowhere"),
        ("GET", "/sources/nowhere/paragraphs"),
        ("GET", "/entities/nowhere"),
        ("GET", "/facts/nowhere"),
        ("GET", "/paragraphs/nowhere"),
        ("GET", "/jobs/nowhere"),
        ("DELETE", "/sources/nowhere"),
        ("DELETE", "/entities/nowhere"),
        ("POST", "/jobs/nowhere/retry"),
        ("GET", "/subgraph?focus=nowhere"),
        ("GET", "/deletion?ids=nowhere"),
        ("GET", "/api/v1/spaces/nowhere/stats"),
        ("GET", "/api/v1/nothing"),
    ],
)
def test_what_is_not_there_is_404(browser, method, path):
    problem(browser(method, path), 404, "not-found")


def test_another_spaces_ids_are_unknown(filled, spaces):
    kevin = find(filled, "凯文")["id"]
    spaces.create("other")
    problem(filled("GET", f"/api/v1/spaces/other/entities/{kevin}"), 404, "not-found")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/retrieve", {}),
        ("POST", "/retrieve", {"question": "x", "top_k": 0}),
        ("POST", "/retrieve", {"question": "x", "route": "sideways"}),
        ("POST", "/retrieve", {"question": "x", "extra": 1}),
        ("POST", "/retrieve", {"question": "x" * 4001}),
        ("POST", "/sources", {"name": "a", "text": ""}),
        ("POST", "/sources", {"text": "a"}),
        ("POST", "/sources", [1]),
        ("PATCH", "/entities/x", {"name": ""}),
        ("POST", "/subgraph", {"positions": {"a": [1]}}),
        ("POST", "/subgraph", {"limit": 2001}),
        ("GET", "/sources?limit=501", None),
        ("GET", "/sources?offset=-1", None),
        ("GET", "/subgraph?limit=nine", None),
        ("GET", "/deletion", None),
    ],
)
def test_a_wrong_value_is_named(browser, method, path, body):
    answer = problem(browser(method, path, **({"json": body} if body is not None else {})), 422, "invalid")
    assert answer["errors"]


def test_a_body_that_is_no_json_is_refused(browser):
    answer = browser("POST", "/retrieve", data="{", content_type="application/json")
    assert answer.status_code == 400
    assert answer.mimetype == "application/problem+json"


def test_a_wrong_method_is_told_the_right_ones(browser):
    answer = browser("PUT", "/stats")
    problem(answer, 405, "method-not-allowed")
    assert "GET" in answer.headers["Allow"]


def test_what_nobody_foresaw_tells_nothing_but_a_number(browser, spaces, monkeypatch, caplog):
    def broken(*args, **options):
        raise RuntimeError("the secret path /root/secret")

    monkeypatch.setattr(type(spaces.open("default")), "stats", broken)
    browser.app.testing = False
    answer = problem(browser("GET", "/stats"), 500, "internal")
    assert "secret" not in answer["detail"]
    assert "secret" in caplog.text


def test_many_files_are_taken_and_one_bad_one_leaves_the_others_alone(browser):
    answer = upload(browser, ("好.txt", "凯文住在钟楼。".encode()), ("空.txt", b""), ("坏.txt", b"\0\1\2\3" * 99))
    assert answer.status_code == 202
    states = {file["name"]: file["state"] for file in answer.json["files"]}
    assert states == {"好.txt": "new", "空.txt": "failed", "坏.txt": "failed"}
    assert all(file["reasons"] for file in answer.json["files"] if file["state"] == "failed")


def test_the_same_file_again_is_known(browser):
    upload(browser, ("a.txt", "凯文住在钟楼。".encode()))
    again = upload(browser, ("b.txt", "凯文住在钟楼。".encode())).json
    assert again["files"][0]["state"] == "known"
    assert "a.txt" in again["files"][0]["reasons"][0]


def test_a_body_over_the_limit_is_refused_before_it_is_read(browser):
    answer = upload(browser, ("a.txt", b"a" * 300_000))
    problem(answer, 413, "too-large")
    assert browser("GET", "/sources").json["total"] == 0
    text = browser("POST", "/sources", json={"name": "a", "text": "字" * 100_000})
    problem(text, 413, "too-large")


def test_one_file_over_the_limit_is_reported_and_the_others_taken(browser):
    answer = upload(browser, ("big.txt", b"a" * 60_000), ("small.txt", "凯文住在钟楼。".encode())).json
    states = {file["name"]: file["state"] for file in answer["files"]}
    assert states == {"big.txt": "failed", "small.txt": "new"}


def test_an_upload_without_files_is_refused(browser):
    answer = browser("POST", "/sources", data={"other": "x"}, content_type="multipart/form-data")
    problem(answer, 422, "invalid")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("知识库.txt", "知识库.txt"),
        ("../../etc/passwd", "passwd"),
        ("C:/Users/x/notes.txt", "notes.txt"),
        ("a\u202etxt.exe", "atxt.exe"),
        ("<img src=x onerror=alert(1)>.txt", "<img src=x onerror=alert(1)>.txt"),
        ("名" * 400 + ".txt", "名" * 255),
    ],
)
def test_a_given_name_is_only_data(browser, tmp_path, given, shown):
    beside = set(tmp_path.parent.iterdir())
    upload(browser, (given, "凯文住在钟楼。".encode()))
    (source,) = browser("GET", "/sources").json["items"]
    assert source["name"] == shown
    assert not [path for path in tmp_path.rglob("*") if path.name in {shown, "passwd"}]
    assert set(tmp_path.parent.iterdir()) == beside


def test_the_api_is_described(browser):
    document = browser("GET", "/api/v1/openapi.json").json
    assert document["openapi"].startswith("3.1")
    assert "/api/v1/spaces/{space}/retrieve" in document["paths"]
    page = browser("GET", "/api/v1/docs").text
    assert "/api/v1/spaces/{space}/retrieve" in page
    assert "//cdn" not in page
    assert "http://" not in page
    assert "https://" not in page


@pytest.mark.parametrize(("language", "told"), [("zh", "字词上排第"), ("en", "by words")])
def test_reasons_are_told_in_the_language_of_the_page(filled, language, told):
    answer = filled("POST", "/retrieve", json={"question": "凯文住在哪里？", "language": language}).json
    assert told in "".join(answer["paragraphs"][0]["why"])
