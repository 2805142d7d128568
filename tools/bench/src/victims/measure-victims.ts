import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as openRequest } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@lanyard/contracts'
import type { AttackerOrder, AttackerReport } from './attacker.ts'
import type { Attack } from './attacks.ts'
import { type Fixture, paymentOf, victimCount } from './victims-fixture.ts'

/** Milliseconds of one slice, quiet or attacked. */
export const sliceLength = 6_000
const slices = 3

/** Milliseconds between two builds of one victim. */
const pause = 1_000

interface Slices {
  /** Milliseconds from when a build was due until it was answered. */
  readonly times: number[]
  /** The number of builds by status, with the code of an error. */
  readonly statuses: Record<string, number>
}

export interface MeasuredVictims {
  readonly quiet: Slices
  readonly attacked: Slices
  /** The attacker's requests by status. */
  readonly attacker: AttackerReport
}

/** Each measurement has victims from other addresses, since an address may keep 64 builds of a wallet. */
let measurements = 0

/** Each attacker comes from another network. */
let attackers = 0

/**
 * Victims build once a second each, in alternating slices with and without an attack. A build counts from the
 * moment it is due. Each attacked slice has another attacker, whose allowances are full.
 */
export async function measureVictims(fixture: Fixture, attack: Attack): Promise<MeasuredVictims> {
  const { urls, headers } = fixture
  measurements++
  const begin = await attack.prepare(fixture.ground)
  const attacker = fork(fileURLToPath(new URL('attacker.ts', import.meta.url)))
  const agent = new Agent({ keepAlive: true })
  const order = (given: AttackerOrder) => attacker.send(given)
  const report: Record<number, number> = {}
  const kinds = { quiet: newSlices(), attacked: newSlices() }

  async function attackWhile(measure: () => Promise<void>): Promise<void> {
    const group = `198.18.${attackers++ & 255}`
    const addresses = Array.from({ length: attack.isNetwork ? 250 : 1 }, (_, last) => `${group}.${last + 1}`)
    order({ begin, urls, addresses, headers })
    await measure()
    const reported = once(attacker, 'message')
    order('stop')
    const [statuses] = (await reported) as [AttackerReport] // the message of attacker.ts
    for (const [status, count] of Object.entries(statuses))
      report[Number(status)] = (report[Number(status)] ?? 0) + count
  }

  try {
    await measureSlice(fixture, agent, newSlices()) // warm-up
    for (let slice = 0; slice < slices; slice++) {
      await measureSlice(fixture, agent, kinds.quiet)
      await attackWhile(() => measureSlice(fixture, agent, kinds.attacked))
    }
  } finally {
    attacker.kill()
    agent.destroy()
  }
  return { ...kinds, attacker: report }
}

const newSlices = (): Slices => ({ times: [], statuses: {} })

async function measureSlice(fixture: Fixture, agent: Agent, into: Slices): Promise<void> {
  const { victims, urls } = fixture
  const began = performance.now()
  const one = async (victim: number, count: number) => {
    const due = began + pause * (count + victim / victimCount)
    await delay(Math.max(0, due - performance.now()))
    const status = await build(fixture, agent, urls[(count + victim) % urls.length] ?? '', victim, count)
    into.times.push(performance.now() - due)
    into.statuses[status] = (into.statuses[status] ?? 0) + 1
  }
  const counts = Array.from({ length: sliceLength / pause }, (_, count) => count)
  await Promise.all(victims.flatMap((_, victim) => counts.map((count) => one(victim, count))))
}

/** @returns the status, with the code of an error; 0 for a broken connection */
async function build(
  { victims, ground, headers }: Fixture,
  agent: Agent,
  url: string,
  victim: number,
  count: number,
): Promise<string> {
  const text = JSON.stringify(paymentOf(victims[victim] ?? '', ground.network, BigInt(count + 1)))
  const request = openRequest(url + endpoints.smartAccount.build.path, {
    method: 'POST',
    agent,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'x-forwarded-for': `10.${measurements}.${victim}.1`,
    },
  })
  try {
    request.end(text)
    const [response] = await once(request, 'response')
    const answer = await readText(response)
    return response.statusCode === 200 ? '200' : `${response.statusCode} ${JSON.parse(answer).code}`
  } catch {
    return '0'
  }
}
