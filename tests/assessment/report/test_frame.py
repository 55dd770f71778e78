"""The page in the frame of a notebook: it draws, its controls work, and it reaches nothing."""

import firsthit


def test_the_page_works_in_a_frame(browser, log_folder, tmp_path):
    frame = firsthit.load(log_folder).explore()._repr_html_()
    outer = tmp_path / "notebook.html"
    outer.write_text(
        "<!doctype html><html data-ready='yes'><meta charset='utf-8'>"
        f"<script>var secret = 1</script><body>{frame}</body></html>",
        encoding="utf-8",
    )
    browser.open(outer)
    browser.driver.switch_to.frame(0)
    try:
        browser.wait("document.documentElement.dataset.ready === 'yes'")
        browser.look_at("ecdf")
        browser.redrawn("ecdf", lambda: browser.choose("#dimension", 5))
        assert (
            browser.js("(() => { try { return parent.secret } catch { return null } })()") is None
        )
    finally:
        browser.driver.switch_to.default_content()
    errors = [line for line in browser.console() if "favicon" not in line]
    assert errors == []
