// The child's side for Node: Mozilla's Readability on jsdom, asked by host.py. The folder with the packages is
// the only argument. Pages run no scripts and load nothing; an attempt to reach the network is refused, and
// told with the answer.

import { createRequire } from "node:module"
import net from "node:net"
import path from "node:path"

const require = createRequire(path.join(process.argv[2], "index.js"))
const { Readability } = require("@mozilla/readability")
const { JSDOM, VirtualConsole } = require("jsdom")

// textContent glues the last word of a block to the first of the next: these are set apart by line breaks.
const BLOCKS = new Set(
  ("ADDRESS ARTICLE ASIDE BLOCKQUOTE BR CAPTION DD DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 " +
    "H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TBODY TD TFOOT TH THEAD TR UL").split(" "),
)
const TEXT_NODE = 3
const NOWHERE = "https://page.invalid/article"

let attempts = []
net.Socket.prototype.connect = (...target) => {
  attempts.push(JSON.stringify(target))
  throw new Error("extractors have no network")
}

function* pieces(node) {
  if (node.nodeType === TEXT_NODE) yield node.data
  const block = BLOCKS.has(node.nodeName)
  if (block) yield "\n"
  for (const child of node.childNodes) yield* pieces(child)
  if (block) yield "\n"
}

function readable(html, options) {
  const { window } = new JSDOM(html, { url: NOWHERE, virtualConsole: new VirtualConsole() })
  try {
    const article = new Readability(window.document, { ...options, serializer: (element) => element }).parse()
    return article ? [...pieces(article.content)].join("").trim() : ""
  } finally {
    window.close()
  }
}

function respond(options, html) {
  attempts = []
  try {
    const before = process.cpuUsage()
    const text = readable(html, options)
    const { user, system } = process.cpuUsage(before)
    return ["done", JSON.stringify({ seconds: (user + system) / 1e6, attempts }), text]
  } catch (error) {
    return ["refused", "crash", String(error)]
  }
}

function write(...frames) {
  for (const frame of frames) {
    const body = Buffer.from(frame)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length)
    process.stdout.write(length)
    process.stdout.write(body)
  }
}

async function* frames(stream) {
  let waiting = Buffer.alloc(0)
  for await (const chunk of stream) {
    waiting = Buffer.concat([waiting, chunk])
    while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUInt32BE()) {
      const end = 4 + waiting.readUInt32BE()
      yield waiting.subarray(4, end)
      waiting = waiting.subarray(end)
    }
  }
}

write("ready")
let asked = null // a request is two frames: a program, of which there is one only, with its options; the page
for await (const frame of frames(process.stdin)) {
  if (asked) write(...respond(asked.options, frame.toString("utf8")))
  asked = asked ? null : JSON.parse(frame.toString("utf8"))
}
