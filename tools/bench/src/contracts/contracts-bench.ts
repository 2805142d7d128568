import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Bench } from '../bench.ts'
import type { Comparison } from '../report/result.ts'
import { versionsOf } from '../report/versions.ts'

const snapshot = z.record(z.string(), z.string().regex(/^\d+$/).transform(Number))

/** Reads a Forge snapshot, which Forge's tests compare in every run. */
function readSnapshot(name: string): (call: string) => number {
  const path = fileURLToPath(new URL(`../../../../packages/onchain/snapshots/${name}.json`, import.meta.url))
  const gas = snapshot.parse(JSON.parse(readFileSync(path, 'utf8')))
  return (call) => {
    const used = gas[call]
    if (used === undefined) throw new TypeError(`${name}.json has no line "${call}"`)
    return used
  }
}

/** Gas of our own contracts: sessions, claims and settlements. */
export const contractsBench: Bench = {
  name: 'contracts',
  async run(progress) {
    progress('reading packages/onchain/snapshots')
    const sessions = readSnapshot('SessionKeys')
    const balance = readSnapshot('SmartBalance')
    const alone = balance('settle, 1 order')
    const perOrder = (orders: number): Comparison => ({
      what: `Settlement, gas per order, ${orders} in one transaction`,
      unit: 'gas',
      ours: balance(`settleBatch, ${orders} orders`) / orders,
      peer: alone,
      peerName: 'settled alone',
    })
    return {
      title: 'Contracts',
      method:
        'Written by forge (`packages/onchain/snapshots`), whose tests fail if a call needs more gas. Sessions and the operation with a claimed order: `handleOps` with one operation, all contracts cold. Claims and settlements: only the call, with warm storage.',
      versions: versionsOf('@account-abstraction/contracts'),
      comparisons: [
        {
          what: 'Token transfer by a session key',
          unit: 'gas',
          ours: sessions("session's operation, token transfer"),
          peer: sessions("owner's operation, token transfer, for comparison"),
          peerName: 'by the owner',
        },
        {
          what: 'Claim of an order',
          unit: 'gas',
          ours: balance('claim'),
          peer: balance('plain ERC-20 transfer, for comparison'),
          peerName: 'an ERC-20 transfer',
        },
        {
          what: 'Operation with a claimed order, EOA owner',
          unit: 'gas',
          ours: balance('handleOps with a claimed order, EOA owner'),
          goal: { of: 'ours', bound: 'at most', value: 157_000 },
        },
        { what: 'Settlement of one order', unit: 'gas', ours: alone },
        perOrder(5),
        perOrder(20),
      ],
    }
  },
}
