// The places in which answers are drawn, inside an element of the host's: there for the time of a run.

// Of no weight but for what the measurement needs, so that the host's own styles win.
const STYLES = `
:where(.firstlight-places) { display: grid; gap: 8px; }
:where(.firstlight-place) { height: 8em; }
.firstlight-place { display: flex; flex-direction: column-reverse; overflow: hidden; }
.firstlight-answer { margin-bottom: auto; white-space: pre-wrap; overflow-wrap: break-word; }
.firstlight-answer.markdown { white-space: normal; }
.firstlight-piece { display: inline-block; max-width: 100%; }
`;

/** The most at a time. */
const MOST = 6;

export class Places {
  /**
   * @param {Element} into
   * @param {number} count
   */
  constructor(into, count) {
    const make = (/** @type {string} */ name) => {
      const element = into.ownerDocument.createElement("div");
      element.className = name;
      return element;
    };
    this.all = make("firstlight-places");
    /** @type {[HTMLElement, HTMLElement][]} */
    this.pairs = Array.from({ length: Math.max(1, Math.min(count, MOST)) }, () => [make("firstlight-place"), make("firstlight-answer")]);
    for (const [place, answer] of this.pairs) {
      place.append(answer);
      this.all.append(place);
    }
    // A sheet that is made by a script needs no permission of a content security policy.
    this.sheet = new CSSStyleSheet();
    this.sheet.replaceSync(STYLES);
    const root = into.getRootNode();
    this.root = root instanceof ShadowRoot ? root : document;
    this.root.adoptedStyleSheets = [...this.root.adoptedStyleSheets, this.sheet];
    into.append(this.all);
  }

  /** The element is as it was before. */
  remove() {
    this.all.remove();
    this.root.adoptedStyleSheets = this.root.adoptedStyleSheets.filter((sheet) => sheet !== this.sheet);
  }
}
