import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { expect } from 'vitest'
import { restClient } from '../rest.ts'
import type { EoaAccount } from './actors/eoa.ts'
import type { Replica } from './replicas.ts'
import { operationOf, outputNetwork, type SignedOperation, type Stage } from './stage.ts'

/**
 * Sends SIGTERM while each replica waits for an operation that the chain does not include. Each replica answers 504
 * with the hash and exits within five seconds. The worker keeps running and completes the operations.
 */
export async function expectDrained(
  database: Kysely<Database>,
  stage: Stage,
  account: EoaAccount,
  replicas: readonly Replica[],
): Promise<void> {
  const { chain } = stage.chains.on(outputNetwork)
  await chain.setAutomine(false)
  await chain.setIntervalMining({ interval: 0 })
  const submitted: SignedOperation[] = []
  const answers = []
  for (const { url } of replicas) {
    const rest = restClient(url)
    const { body } = await rest.post('/smart-account/transaction/build', {
      network: String(outputNetwork),
      walletAddress: account.address,
      transactionDetails: [{ targetContractAddress: account.owner.address, value: '1', encodedData: '0x' }],
    })
    const operation = operationOf(body.userOp, outputNetwork)
    stage.signed(operation)
    submitted.push(operation)
    const signature = await account.owner.sign({ hash: body.messageToSign })
    answers.push(
      rest.post('/smart-account/transaction/submit', { walletAddress: account.address, signature }),
    )
  }
  const count = async (state: 'submitted' | 'included') =>
    (
      await database
        .selectFrom('operations')
        .select('user_op_hash')
        .where(
          'user_op_hash',
          'in',
          submitted.map(({ userOpHash }) => userOpHash),
        )
        .where('state', '=', state)
        .execute()
    ).length
  await expect.poll(() => count('submitted')).toBe(replicas.length)

  const ended = await Promise.all(replicas.map((replica) => replica.terminate()))
  for (const [index, answer] of (await Promise.all(answers)).entries()) {
    const userOpHash = submitted[index]?.userOpHash
    expect(answer).toMatchObject({ status: 504, body: { code: 'INCLUSION_TIMEOUT', userOpHash } })
  }
  for (const { code, milliseconds } of ended) {
    expect(code).toBe(0)
    expect(milliseconds).toBeLessThan(5_000)
  }

  await chain.setIntervalMining({ interval: 1 })
  await expect.poll(() => count('included')).toBe(replicas.length)
}
