/** @module-tag all */

import { testEngines } from '@lanyard/database/testing'
import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { writePolicies } from '../policies-file.ts'
import { restClient } from '../rest.ts'
import { payee, startOrderService } from './order-service.ts'

const chainId = 31337
/** PostgreSQL where there is one: on PGlite no two transactions ever run at once. */
const engine = testEngines().at(-1) ?? 'pglite'

test('attack: 1,000 builds at once get the ten operations of a budget, and two replicas no more', async () => {
  const environment = {
    POLICIES_FILE: await writePolicies({
      id: 'ten',
      budgets: { operation: String(parseEther('1')), total: { operations: 10 } },
    }),
  }
  await using service = await startOrderService({ engine, chainIds: [chainId], environment })
  await using replica = await service.start()
  const wallets = await Promise.all(Array.from({ length: 20 }, () => service.createWallet()))
  const clients = [service.rest, restClient(replica.url)]
  const ask = (index: number) =>
    clients[index % 2]?.post('/smart-account/transaction/build', {
      network: String(chainId),
      walletAddress: wallets[index % wallets.length]?.address,
      paymasterData: 'sponsored',
      // Each is another operation.
      transactionDetails: [
        { targetContractAddress: payee, value: '0', encodedData: `0x${'ab'.repeat(index + 1)}` },
      ],
    })
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, index) => ask(index)))
  // A busy machine answers some that a network is away, and takes nothing for them.
  const away = [...answers.keys()].filter((index) => answers[index]?.status === 503)
  const built = answers.filter((answer) => answer?.status === 200)
  const refused = answers.filter((answer) => answer?.body.code === 'PAYMASTER_REFUSED')
  for (const answer of refused) expect(answer?.body).toMatchObject({ policy: 'ten', refusal: 'all_total' })
  expect([built.length, refused.length]).toEqual([10, 1000 - 10 - away.length])
  // They ask again, one by one, and there is nothing left for them.
  for (const index of away)
    expect((await ask(index))?.body).toMatchObject({ policy: 'ten', refusal: 'all_total' })

  const rows = await service.database.db.selectFrom('sponsorships').selectAll().execute()
  expect(rows).toHaveLength(10)
  // An operation without its row has no signature of the operator: what was refused is written nowhere.
  const operations = await service.database.db.selectFrom('operations').select('user_op_hash').execute()
  expect(new Set(operations.map(({ user_op_hash }) => user_op_hash))).toEqual(
    new Set(rows.map(({ user_op_hash }) => user_op_hash)),
  )
  const total = await service.database.db
    .selectFrom('sponsorship_days')
    .selectAll()
    .where('budget', '=', 'policy:ten')
    .where('day', '=', 'total')
    .executeTakeFirstOrThrow()
  const reserved = rows.reduce((sum, row) => sum + row.reserved, 0n)
  expect(total).toMatchObject({ operations: 10, taken: reserved, settled: 0n })
})
