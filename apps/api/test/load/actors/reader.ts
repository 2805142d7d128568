import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from 'viem'
import type { Stage } from '../stage.ts'

/** Milliseconds between two reads of one reader: a page that polls, not a benchmark. */
const pause = 20

/** Reads what wallets read, in turn. */
export async function readerActor({ client, goesOn }: Stage, address: Address): Promise<void> {
  const paths = [
    '/health',
    '/networks',
    `/v3/smartbalance/getbalance?walletAddress=${address}`,
    '/api/user/check-username?username=nobody',
    `/api/user/search?query=${address}`,
    `/smart-account/session-key?walletAddress=${address}`,
  ]
  for (let turn = 0; goesOn(); turn++) {
    await client.send({ kind: 'read', path: paths[turn % paths.length] as string }) // within its length
    await delay(pause)
  }
}
