"""On a phone: somebody is reported, a moderator decides, and the person reads what and why."""

from playwright.sync_api import expect

from tests.browser.playing import enter_the_admin, fits, follow, join, log_in, open_table

PHONE = {"width": 360, "height": 740}


def test_a_name_is_reported_and_changed(new_page, language):
    alice, troll, moderator = (new_page(viewport=PHONE) for _ in range(3))
    log_in(troll, "Igicucu", language)
    log_in(alice, "Keza", language)
    join(alice, open_table(troll, "matatu/rwanda", language, seats="2"))
    follow(alice, "aside a[href$='/report/']")
    assert fits(alice)
    alice.check("main [name=person]")
    alice.check("main [name=kind][value=name]")
    alice.fill("main [name=note]", "It is a swear word.")
    follow(alice, "main form button.go")
    expect(alice.locator("#table.playing")).to_be_attached()

    enter_the_admin(moderator, "Mo", language)
    moderator.goto("/admin/accounts/report/")
    follow(moderator, "#result_list tbody th a")
    follow(moderator, "a[href*='/measure/add/?']")
    moderator.select_option("[name=kind]", "rename")
    moderator.fill("[name=new_name]", "Ineza")
    moderator.fill("[name=reason]", "Your name insults people.")
    follow(moderator, "[name=_save]")

    alice.reload()
    expect(alice.locator("#table")).to_contain_text("Ineza")
    troll.goto(f"/{language}/accounts/inbox/")
    follow(troll, "#inbox a >> text=Igicucu")
    expect(troll.locator("main")).to_contain_text("Your name insults people.")
    assert fits(troll)
