"""How well each text of a page stands out from what is behind it, measured in its pixels."""

import base64

from playwright.sync_api import Page

NO_TEXT = """*, ::before, ::after { color: transparent !important; text-shadow: none !important;
    -webkit-text-fill-color: transparent !important; transition: none !important;
    animation: none !important; }
:is(input, textarea, select) { caret-color: transparent !important; }
::placeholder { color: transparent !important; }"""
# A sheet of this kind is not held up by the content security policy.
HIDE = """text => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
}"""
SHOW = "() => { document.adoptedStyleSheets = []; }"
# The middle of each line of text: a line box is higher than its letters and a pill around them.
WEAK = """async picture => {
    const image = Object.assign(new Image(), {src: picture});
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const all = canvas.getImageData(0, 0, image.width, image.height).data;
    const scale = image.width / document.documentElement.clientWidth;
    const linear = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const one = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
    const rgba = colour => {
        one.clearRect(0, 0, 1, 1);
        one.fillStyle = colour;
        one.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = one.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const shown = node => {
        for (let each = node; each; each = each.parentElement)
            if (each.matches('.skip, [aria-disabled], :disabled') ||
                getComputedStyle(each).clipPath !== 'none') return false;
        return node.checkVisibility({checkVisibilityCSS: true});
    };
    const opacity = node => {
        let product = 1;
        for (let each = node; each; each = each.parentElement)
            product *= getComputedStyle(each).opacity;
        return product;
    };
    const above = [...document.querySelectorAll('.panel, .menu nav')]
        .filter(node => node.checkVisibility()).map(node => [node, node.getBoundingClientRect()]);
    const covered = (node, box) => above.some(([panel, over]) => !panel.contains(node) &&
        box.x < over.right && box.right > over.x && box.y < over.bottom && box.bottom > over.y);
    const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let measured = 0;
    while (texts.nextNode()) {
        const text = texts.currentNode, node = text.parentElement;
        if (!text.data.trim() || !shown(node)) continue;
        const style = getComputedStyle(node), size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
        const [r, g, b, alpha] = rgba(style.color), solid = alpha * opacity(node);
        const line = document.createRange();
        line.selectNodeContents(text);
        for (const box of line.getClientRects()) {
            if (covered(node, box)) continue;
            const x = (box.x + scrollX) * scale, y = (box.y + scrollY + box.height * .3) * scale;
            const [w, h] = [box.width * scale, box.height * .4 * scale].map(Math.floor);
            if (w < 1 || h < 1 || x < 0 || y < 0 || x + w > image.width || y + h > image.height)
                continue;
            const ratios = [], step = Math.max(1, Math.floor(Math.sqrt(w * h / 150)));
            const first = Math.floor(y) * image.width + Math.floor(x);
            for (let row = 0; row < h; row += step)
                for (let column = 0; column < w; column += step) {
                    const pixel = 4 * (first + row * image.width + column);
                    const behind = all.subarray(pixel, pixel + 3);
                    const ink = [r, g, b].map((c, n) => c * solid + behind[n] * (1 - solid));
                    ratios.push(ratio(light(ink), light(behind)));
                }
            measured += 1;
            ratios.sort((a, b) => a - b);
            const worst = ratios[Math.floor(ratios.length * .05)];
            if (worst < (large ? 3 : 4.5) - .01)
                found.push(`${worst.toFixed(2)} "${text.data.trim().slice(0, 40)}" in ` +
                    node.outerHTML.slice(0, 80));
        }
    }
    return [measured, found];
}"""


# A clock that comes near its end takes another colour, perhaps between the picture and the reading.
WATCH = """() => {
    window.turned = 0;
    new MutationObserver(seen => { window.turned += seen.length; }).observe(
        document.body, {subtree: true, attributeFilter: ['class', 'hidden', 'open', 'disabled']});
}"""
TRIES = 5


def weak_texts(page: Page) -> list[str]:
    """Return the texts that stand out too little: 4.5 to 1, or 3 to 1 for large ones (WCAG 1.4.3).

    Whatever is behind them, gradients and pictures too; a twentieth of the pixels may be worse (the
    edge of something beside the text). A page that changes meanwhile is measured again.
    """
    for _ in range(TRIES):
        page.evaluate(WATCH)
        page.evaluate(HIDE, NO_TEXT)
        picture = page.screenshot(full_page=True, caret="initial")
        page.evaluate(SHOW)
        address = "data:image/png;base64," + base64.b64encode(picture).decode()
        measured, found = page.evaluate(WEAK, address)
        assert measured, f"no text was measured on {page.url}"
        if not page.evaluate("window.turned"):
            return found
    raise AssertionError(f"{page.url} never stood still")
