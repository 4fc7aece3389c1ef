// The child's side for Node: runs the programs of programs.mjs as host.py asks. The folder with the packages is
// the only argument. An attempt to reach the network is refused, and told with the answer.

import { Console } from "node:console"
import dgram from "node:dgram"
import dns from "node:dns"
import net from "node:net"
import { program } from "./programs.mjs"

let attempts = []
function refuse(...target) {
  attempts.push(JSON.stringify(target))
  throw new Error("extractors have no network")
}
net.Socket.prototype.connect = refuse
dgram.Socket.prototype.send = refuse
dgram.Socket.prototype.connect = refuse
for (const names of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
  for (const name of Object.getOwnPropertyNames(names)) if (/^(lookup|resolve|reverse)/.test(name)) names[name] = refuse

// Standard output is for answers alone: what a library logs must not get among them.
globalThis.console = new Console(process.stderr)

async function respond(name, html) {
  attempts = []
  try {
    const run = program(name) // loading a package is no cost of the page
    const before = process.cpuUsage()
    const text = await run(html)
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
let asked = null // a request is two frames: the name of a program; the page
for await (const frame of frames(process.stdin)) {
  if (asked) write(...(await respond(asked, frame.toString("utf8"))))
  asked = asked ? null : frame.toString("utf8")
}
