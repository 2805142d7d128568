import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as openRequest } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@lanyard/contracts'
import { processorTimeOf } from '../programs/process-tree.ts'
import { paid } from '../wallets/ours.ts'
import type { AttackerOrder, AttackerReport } from './attacker.ts'
import type { Attack } from './attacks.ts'
import { type Fixture, victimCount } from './fixture.ts'

/** Milliseconds of one slice, quiet or attacked. */
export const sliceLength = 6_000

/** Milliseconds between two builds of one victim. */
const pause = 1_000

/** Milliseconds of processor time. */
interface Spent {
  readonly service: number
  readonly database: number
  readonly node: number
}

interface MeasuredSlices {
  /** Milliseconds from when a build was due until it was answered, in all slices of a kind. */
  readonly times: readonly number[]
  /** The number of builds by status, with the code of an error. */
  readonly statuses: Readonly<Record<string, number>>
}

export interface MeasuredVictims {
  readonly quiet: MeasuredSlices
  readonly attacked: MeasuredSlices
  /** What the attack took more than the quiet slices, for each second. */
  readonly spent: Spent
  /** The attacker's requests by status. */
  readonly attacker: AttackerReport
}

/**
 * Victims build once a second each, in alternating slices with and without an attack. A build counts from the
 * moment it is due. Each attacked slice has another attacker, whose allowances are full.
 */
export async function measureVictims(
  fixture: Fixture,
  attack: Attack,
  { slices, progress }: { readonly slices: number; readonly progress: (line: string) => void },
): Promise<MeasuredVictims> {
  const { nginxUrl = '' } = fixture
  const urls = attack.isBehindNginx ? [nginxUrl] : fixture.replicas.map(({ url }) => url)
  measurements++
  const hostility = await attack.prepare(fixture.ground)
  const attacker = fork(fileURLToPath(new URL('attacker.ts', import.meta.url)))
  const agent = new Agent({ keepAlive: true })
  const order = (given: AttackerOrder) => attacker.send(given)
  const report: Record<number, number> = {}
  const kinds = { quiet: newSlices(), attacked: newSlices() }

  async function attackWhile(measure: () => Promise<void>): Promise<void> {
    const group = `198.18.${attackers++ & 255}`
    const addresses = Array.from({ length: attack.isNetwork ? 250 : 1 }, (_, last) => `${group}.${last + 1}`)
    order({ begin: hostility, urls, addresses, headers: fixture.headers })
    await measure()
    const reported = once(attacker, 'message')
    order('stop')
    const [statuses] = (await reported) as [AttackerReport] // the message of attacker.ts
    for (const [status, count] of Object.entries(statuses))
      report[Number(status)] = (report[Number(status)] ?? 0) + count
  }

  try {
    await measureSlice(fixture, urls, agent, newSlices()) // warm-up
    for (let slice = 0; slice < slices; slice++) {
      await measureSlice(fixture, urls, agent, kinds.quiet)
      await attackWhile(() => measureSlice(fixture, urls, agent, kinds.attacked))
      progress(`${attack.name}: slice ${slice + 1} of ${slices}`)
    }
  } finally {
    attacker.kill()
    agent.destroy()
  }
  const perSecond = ({ spent, seconds }: Slices, part: keyof Spent) => spent[part] / seconds
  const more = (part: keyof Spent) => perSecond(kinds.attacked, part) - perSecond(kinds.quiet, part)
  return {
    ...kinds,
    spent: { service: more('service'), database: more('database'), node: more('node') },
    attacker: report,
  }
}

/** Victims come from other addresses in each measurement, since an address may keep 64 builds of a wallet. */
let measurements = 0

/** Each attacker comes from another network. */
let attackers = 0

interface Slices {
  /** How long they took: until the last build was answered. */
  seconds: number
  readonly times: number[]
  readonly statuses: Record<string, number>
  readonly spent: { service: number; database: number; node: number }
}

const newSlices = (): Slices => ({
  seconds: 0,
  times: [],
  statuses: {},
  spent: { service: 0, database: 0, node: 0 },
})

async function measureSlice(
  { victims, ground, headers, replicas, node, databasePid }: Fixture,
  urls: readonly string[],
  agent: Agent,
  into: Slices,
): Promise<void> {
  const spent = () => ({
    service: replicas.reduce((sum, { pid }) => sum + processorTimeOf(pid), 0),
    database: processorTimeOf(databasePid),
    node: processorTimeOf(node.pid),
  })
  const before = spent()
  const began = performance.now()
  await Promise.all(
    victims.map(async (walletAddress, index) => {
      const sending: Promise<void>[] = []
      for (let count = 0; count < sliceLength / pause; count++) {
        const due = began + pause * (count + index / victimCount)
        await delay(Math.max(0, due - performance.now()))
        sending.push(
          build(urls[(count + index) % urls.length] ?? '', {
            agent,
            index,
            headers,
            body: {
              network: String(ground.network),
              walletAddress,
              transactionDetails: [{ ...paid, value: String(count + 1) }],
            },
          }).then((status) => {
            into.times.push(performance.now() - due)
            into.statuses[status] = (into.statuses[status] ?? 0) + 1
          }),
        )
      }
      await Promise.all(sending)
    }),
  )
  const after = spent()
  into.seconds += (performance.now() - began) / 1_000
  into.spent.service += after.service - before.service
  into.spent.database += after.database - before.database
  into.spent.node += after.node - before.node
}

interface Build {
  readonly agent: Agent
  /** Number of the victim. */
  readonly index: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** @returns the status, with the code of an error; 0 for a broken connection */
function build(url: string, { agent, index, headers, body }: Build): Promise<string> {
  const text = JSON.stringify(body)
  const { promise, resolve } = Promise.withResolvers<string>()
  openRequest(
    url + endpoints.smartAccount.build.path,
    {
      method: 'POST',
      agent,
      localAddress: `127.0.${measurements}.${index + 1}`, // nginx counts by connection, and the service by its header
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        'x-forwarded-for': `10.${measurements}.${index}.1`,
      },
    },
    (response) => {
      const { statusCode = 0 } = response
      readText(response).then(
        (answer) => resolve(statusCode === 200 ? '200' : `${statusCode} ${JSON.parse(answer).code}`),
        () => resolve('0'),
      )
    },
  )
    .on('error', () => resolve('0'))
    .end(text)
  return promise
}
