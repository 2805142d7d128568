import { setTimeout as delay } from 'node:timers/promises'
import { hash } from '@lanyard/contracts'
import type { OpenDatabase } from '@lanyard/database'
import { startNode } from '@lanyard/devnet'
import { startService } from '../programs/service.ts'
import { createChain, deploy, fund } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'
import { ownersFrom } from '../wallets/owner.ts'

type Client = Pick<NonNullable<OpenDatabase['pool']>, 'query'>

/** Milliseconds for which the idle service is observed. */
const idleTime = 20_000
/** Milliseconds until an operation that is not final counts as lost. */
const finalBound = 120_000

export interface Carrying {
  /** Statements per second of an idle process with all roles, for one network. */
  readonly idle: number
  /** Statements from build to final, minus those of an idle process in the same time. */
  readonly perOperation: number
}

/**
 * Has a process with all roles handle operations of one deployed account, one after the other, each from
 * build to final.
 *
 * @param watch - a client whose own statements are not counted
 */
export async function carryOperations(
  databaseUrl: string,
  operations: number,
  watch: { readonly client: Client; readonly statements: () => Promise<readonly string[]> },
): Promise<Carrying> {
  await using node = await startNode()
  const chain = createChain(node.rpcUrl)
  const owners = ownersFrom(0, 1)
  await fund(chain, owners)
  await deploy(chain, owners)
  await using service = await startService(node, databaseUrl)
  const ours = createOurs(service.url)
  const [owner] = owners
  if (!owner) throw new TypeError('There is one owner')
  await ours.create(owner)

  const carry = async () => {
    const { messageToSign } = await ours.build(owner)
    await ours.submit(owner, await owner.sign({ hash: hash.parse(messageToSign) }))
    await untilFinal(watch.client)
  }
  // The first operation creates data that later ones reuse.
  await carry()

  await watch.statements()
  await delay(idleTime)
  const idle = ((await watch.statements()).length * 1000) / idleTime

  const began = performance.now()
  for (let count = 0; count < operations; count++) await carry()
  const seconds = (performance.now() - began) / 1000
  return { idle, perOperation: ((await watch.statements()).length - idle * seconds) / operations }
}

async function untilFinal(client: Client): Promise<void> {
  for (const deadline = performance.now() + finalBound; performance.now() < deadline; await delay(100)) {
    const { rowCount } = await client.query('select from operations where not final limit 1')
    if (rowCount === 0) return
  }
  throw new Error('An operation did not become final')
}
