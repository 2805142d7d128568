import { entryPointAbi } from '@lanyard/onchain'
import { expect } from 'vitest'
import { type Fixture, networks } from './fuzz-fixture.ts'

const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'

/** Checks what no request may change. Fuzzers sign only the operations in `fixture.signed`. */
export async function expectConsistent(fixture: Fixture): Promise<void> {
  await expectSignedRows(fixture)
  await expectLanes(fixture)
  for (const network of networks) await expectChain(fixture, network)
  expect(Object.keys(Object.prototype)).toEqual([])
}

/** Expects that every signed, pending or included operation is in `signed`. */
async function expectSignedRows({ database, signed }: Fixture): Promise<void> {
  const rows = await database
    .selectFrom('operations')
    .select(['user_op_hash', 'state'])
    .where((where) =>
      where.or([
        where('signature', 'is not', null),
        where('state', 'not in', ['built', 'dropped', 'expired']),
      ]),
    )
    .execute()
  expect(rows.filter(({ user_op_hash }) => !signed.has(user_op_hash))).toEqual([])
}

/** Expects that pending operations have different nonces and that no account uses too many lanes. */
async function expectLanes({ database }: Fixture): Promise<void> {
  const open = await database
    .selectFrom('operations')
    .select(['account', 'network', 'nonce_key', 'nonce_sequence', 'sign_mode'])
    .where('state', 'in', ['submitting', 'submitted'])
    .where('final', '=', false)
    .execute()
  const nonces = open.map((row) => `${row.account} ${row.network} ${row.nonce_key} ${row.nonce_sequence}`)
  expect(nonces.filter((nonce, index) => nonces.indexOf(nonce) !== index)).toEqual([])
  const lanes = Map.groupBy(
    open.filter(({ sign_mode }) => sign_mode !== 'SESSION_KEY'),
    ({ account, network }) => `${account} ${network}`,
  )
  for (const laneOperations of lanes.values()) expect(laneOperations.length).toBeLessThanOrEqual(16)
}

/**
 * Expects that the chain has only signed operations, that owners sent no transaction, and that the bystander's
 * account is not deployed.
 */
async function expectChain({ on, signed, wallet, bystander }: Fixture, network: number): Promise<void> {
  const { chain } = on(network)
  const events = await chain.getContractEvents({
    address: entryPoint,
    abi: entryPointAbi,
    eventName: 'UserOperationEvent',
    fromBlock: 0n,
  })
  const hashes = events.map(({ args }) => args.userOpHash?.toLowerCase() ?? '')
  expect(hashes.filter((hash) => !signed.has(hash))).toEqual([])
  expect(hashes.length).toBe(new Set(hashes).size)
  for (const { owner } of [wallet, bystander]) {
    expect(await chain.getTransactionCount({ address: owner.address })).toBe(0)
  }
  expect(await chain.getCode({ address: bystander.address })).toBeUndefined()
}
