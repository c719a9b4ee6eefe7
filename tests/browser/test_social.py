"""A guest keeps the games by an account on another site, and comes back by it elsewhere."""

from playwright.sync_api import expect

from tests.browser.playing import fits, follow

PHONE = {"width": 360, "height": 740}
BUTTON = "main form[action*='/oidc/elsewhere/'] button"


def test_a_guest_keeps_the_games_by_an_account_elsewhere(new_page, elsewhere, language):
    elsewhere.person = f"guest in {language}"
    phone, other = new_page(viewport=PHONE), new_page(viewport=PHONE)
    phone.goto(f"/{language}/play/")
    phone.fill("main [name=name]", "Nyirahabimana")
    follow(phone, "main form button[value=matatu]")
    table = phone.url
    phone.goto(f"/{language}/accounts/password/set/")
    assert fits(phone)
    follow(phone, BUTTON)
    expect(phone.locator("main .tie")).to_contain_text("Elsewhere")
    assert fits(phone)

    other.goto(f"/{language}/accounts/login/")
    assert fits(other)
    follow(other, BUTTON)
    expect(other.locator("#games")).to_be_attached()
    other.goto(table)
    expect(other.locator("#table.mine")).to_be_attached()


def test_who_is_new_chooses_a_name_without_a_script(new_page, elsewhere):
    elsewhere.person = "new"
    page = new_page(viewport=PHONE, java_script_enabled=False)
    page.goto("/de/accounts/signup/")
    follow(page, BUTTON)
    assert page.url.endswith("/de/accounts/3rdparty/signup/")
    page.fill("main [name=username]", "Karl-Heinz")
    follow(page, "main form button.go")
    expect(page.locator("nav")).to_contain_text("Karl-Heinz")
