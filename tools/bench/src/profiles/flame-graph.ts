import { z } from 'zod'
import { escapeXml } from '../pictures/svg.ts'

/** The parts of a `.cpuprofile` (Chrome DevTools Protocol, Profiler.Profile) that a flame graph needs. */
const cpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.number()).default([]),
    }),
  ),
  samples: z.array(z.number()),
  /** Microseconds before each sample. */
  timeDeltas: z.array(z.number()),
})

/** The merged frames of one function with the same callers. */
interface Frame {
  readonly name: string
  readonly origin: string
  /** Microseconds, including its callees. */
  time: number
  readonly callees: Map<string, Frame>
}

const width = 1_200
const rowHeight = 16
const maxRows = 60

/** Minimum width in pixels. Thousands of narrower frames are left out, since they would be unreadable. */
const narrowest = 1.2

/** The process is waiting, or V8 does internal work. */
const notCalled = new Set(['(idle)', '(program)'])

/**
 * Draws the call tree, scaled by processor time. Microtasks have no caller, so code after an `await` appears
 * beside the function that awaited.
 *
 * @param profile - the parsed content of a `.cpuprofile`
 * @returns an SVG
 */
export function flameGraph(profile: unknown, title: string): string {
  const root = toFrames(cpuProfile.parse(profile))
  const scale = width / root.time
  const rects: string[] = []
  let rows = 1
  const draw = (frame: Frame, left: number, depth: number) => {
    const wide = frame.time * scale
    if (wide < narrowest || depth > maxRows) return
    rows = Math.max(rows, depth + 1)
    const y = depth * rowHeight + 24
    const share = ((frame.time / root.time) * 100).toFixed(1)
    const label = frame.name.slice(0, Math.floor(wide / 6.5))
    rects.push(
      `<g><title>${escapeXml(`${frame.name} ${frame.origin} ${share} %`)}</title>` +
        `<rect x="${left.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="15" fill="${colourOf(frame.origin)}"/>` +
        (label.length > 2
          ? `<text x="${(left + 2).toFixed(1)}" y="${y + 11}">${escapeXml(label)}</text>`
          : '') +
        '</g>',
    )
    let next = left
    for (const callee of [...frame.callees.values()].sort((a, b) => b.time - a.time)) {
      draw(callee, next, depth + 1)
      next += callee.time * scale
    }
  }
  draw(root, 0, 0)
  const height = rows * rowHeight + 32
  const heading = `${escapeXml(title)}: ${(root.time / 1e6).toFixed(1)} s of processor time`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="10">
<title>${heading}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="4" y="15" font-size="12">${heading}</text>
${rects.join('\n')}
</svg>
`
}

function toFrames({ nodes, samples, timeDeltas }: z.infer<typeof cpuProfile>): Frame {
  const own = new Map<number, number>()
  samples.forEach((id, index) => {
    own.set(id, (own.get(id) ?? 0) + (timeDeltas[index] ?? 0))
  })
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const root: Frame = { name: 'all', origin: '', time: 0, callees: new Map() }
  const add = (id: number, caller: Frame): number => {
    const node = byId.get(id)
    if (!node || notCalled.has(node.callFrame.functionName)) return 0
    const name = node.callFrame.functionName || '(anonymous)'
    const origin = originOf(node.callFrame.url)
    const frame = caller.callees.get(`${name} ${origin}`) ?? { name, origin, time: 0, callees: new Map() }
    caller.callees.set(`${name} ${origin}`, frame)
    const time = node.children.reduce((sum, child) => sum + add(child, frame), own.get(id) ?? 0)
    frame.time += time
    return time
  }
  root.time = (nodes[0]?.children ?? []).reduce((sum, child) => sum + add(child, root), 0)
  return root
}

/** A package's name, or a path in this repository. */
function originOf(url: string): string {
  const dependency = /node_modules\/(?!\.pnpm)((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(url)?.[1]
  return dependency ?? /(?:apps|packages)\/.*$/.exec(url)?.[0] ?? url.replace(/^file:\/\/.*\//, '')
}

/** Colours our code, installed packages, and Node.js internals. */
function colourOf(origin: string): string {
  if (/^(apps|packages)\//.test(origin)) return '#f6a04d'
  if (origin === '' || origin.startsWith('node:') || origin.startsWith('wasm')) return '#cfd8dc'
  return '#9ccc65'
}
