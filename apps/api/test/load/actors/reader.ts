import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from 'viem'
import type { Stage } from '../stage.ts'

/** Milliseconds between two reads of one reader, like a page that polls. */
const pause = 20

/** Reads the endpoints that wallets use, in rotation. */
export async function readerActor({ client, isRunning }: Stage, address: Address): Promise<void> {
  const paths = [
    '/health',
    '/networks',
    `/v3/smartbalance/getbalance?walletAddress=${address}`,
    '/api/user/check-username?username=nobody',
    `/api/user/search?query=${address}`,
    `/smart-account/session-key?walletAddress=${address}`,
  ]
  for (let turn = 0; isRunning(); turn++) {
    await client.send({ kind: 'read', path: paths[turn % paths.length] as string }) // the index is in range
    await delay(pause)
  }
}
