import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** The ids of a process and all its descendants. Linux only. */
function processTree(root: number): readonly number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = read(`/proc/${name}/stat`)
    // The second field is the program's name in parentheses, which may contain any characters.
    const parent = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const tree = [root]
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child)
  return tree
}

/** Fields 14 to 17 of proc(5)'s stat: user and system time of the process and of its ended children. */
const timeFields = [11, 12, 13, 14]

/** Linux counts in hundredths of a second on every platform of Node.js (sysconf(_SC_CLK_TCK)). */
const millisecondsOfTick = 10

/** Milliseconds of processor time used so far by a process and its descendants. Linux only. */
export function processorTimeOf(root: number): number {
  return processTree(root).reduce((sum, pid) => sum + processorTimeOfOne(pid, timeFields), 0)
}

function processorTimeOfOne(pid: number, from: readonly number[]): number {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return from.reduce((ticks, field) => ticks + Number(fields[field] ?? 0), 0) * millisecondsOfTick
}

/** Milliseconds of processor time that these processes and their descendants use, by program. Linux only. */
export function processorTimesByProgram(roots: readonly number[]): Record<string, number> {
  const times: Record<string, number> = {}
  for (const pid of new Set(roots.flatMap(processTree))) {
    const program = programOf(pid)
    times[program] = (times[program] ?? 0) + processorTimeOfOne(pid, timeFields.slice(0, 2))
  }
  return times
}

/** The script of Node.js, or the name of another program. */
function programOf(pid: number): string {
  const [path = '', ...parameters] = read(`/proc/${pid}/cmdline`)?.split(/[\0 ]/) ?? []
  const script = path.endsWith('node') ? parameters.find((one) => /\.[cm]?[jt]s$/.test(one)) : undefined
  return basename(script ?? path).replace(/:$/, '')
}

/** MiB of memory that a process and its descendants hold. Linux only. */
export function memoryOf(root: number): number {
  const kilobytes = processTree(root).map((pid) =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0),
  )
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024
}

/** Undefined if the process has ended in the meantime. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
