// The programs for Node: how each is called. A function below loads its packages and gives back the program that
// prints a page's main text; node.py declares the extractor of that name. Pages run no scripts and load nothing:
// jsdom does neither unless it is told to.

import { createRequire } from "node:module"
import path from "node:path"

const require = createRequire(path.join(process.argv[2], "index.js"))

// The packages need the address of the page; this one is reserved and never resolves.
const NOWHERE = "https://page.invalid/article"

const LOADERS = {
  "readability-js": () => {
    const { Readability } = require("@mozilla/readability")
    return (html) =>
      withDocument(html, (document) => {
        const article = new Readability(document, { serializer: (element) => element }).parse()
        return article ? textOf(article.content) : ""
      })
  },

  defuddle: () => {
    const Defuddle = require("defuddle")
    // parse, unlike parseAsync, asks no other site for what the page lacks.
    return (html) =>
      textOfHtml(withDocument(html, (document) => new Defuddle(document, { url: NOWHERE }).parse().content))
  },

  "postlight-parser": () => {
    const Parser = require("@postlight/parser")
    // Without a page, or where one says that it goes on elsewhere, it would fetch.
    return async (html) => {
      const article = await Parser.parse(NOWHERE, { html: html || "<p>", fetchAllPages: false })
      if (article.error) throw new Error(article.message)
      return textOfHtml(article.content ?? "")
    }
  },
}

const loaded = new Map()

export function program(name) {
  if (!loaded.has(name)) loaded.set(name, LOADERS[name]())
  return loaded.get(name)
}

function withDocument(html, use) {
  const { JSDOM, VirtualConsole } = require("jsdom")
  const { window } = new JSDOM(html, { url: NOWHERE, virtualConsole: new VirtualConsole() })
  try {
    return use(window.document)
  } finally {
    window.close()
  }
}

// textContent glues the last word of a block to the first of the next: these are set apart by line breaks.
const BLOCKS = new Set(
  ("ADDRESS ARTICLE ASIDE BLOCKQUOTE BR CAPTION DD DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 " +
    "H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TBODY TD TFOOT TH THEAD TR UL").split(" "),
)
const TEXT_NODE = 3

function* pieces(node) {
  if (node.nodeType === TEXT_NODE) yield node.data
  const block = BLOCKS.has(node.nodeName)
  if (block) yield "\n"
  for (const child of node.childNodes) yield* pieces(child)
  if (block) yield "\n"
}

function textOf(element) {
  return [...pieces(element)].join("").trim()
}

function textOfHtml(html) {
  return withDocument(html, (document) => textOf(document.body))
}
