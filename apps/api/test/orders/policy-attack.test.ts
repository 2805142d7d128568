/** @module-tag all */
/** @module-tag longer */

import { usualEngine } from '@lanyard/database/testing'
import { isLong } from '@lanyard/testing'
import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { writePolicies } from '../policies-file.ts'
import { restClient } from '../rest.ts'
import { payee, startOrderService } from './order-service.ts'

const chainId = 31337
/** PostgreSQL if available: PGlite never runs two transactions at once. */
const engine = usualEngine()

/** Twenty times the budget shows a race as well as a hundred times. */
const attempts = isLong ? 1_000 : 200

test('attack: many concurrent builds on two replicas get at most as many promises as a budget has operations', async () => {
  const environment = {
    POLICIES_FILE: writePolicies({
      id: 'ten',
      budgets: { operation: String(parseEther('1')), total: { operations: 10 } },
    }),
  }
  const secret = 'a-secret-of-32-characters-xxxxxx'
  const keys = { API_KEYS: `server:${secret}` } // each account is a caller by itself
  await using service = await startOrderService({
    ...{ engine, chainIds: [chainId] },
    environment: { ...environment, ...keys },
  })
  await using replica = await service.start()
  const clients = [service.service.url, replica.url].map((url) => restClient(url, { 'x-api-key': secret }))
  const wallets = await Promise.all(Array.from({ length: 20 }, () => service.createWallet(clients[0])))
  const ask = (index: number) =>
    clients[index % 2]?.post('/smart-account/transaction/build', {
      network: String(chainId),
      walletAddress: wallets[index % wallets.length]?.address,
      paymasterData: 'sponsored',
      // Different call data makes each operation different.
      transactionDetails: [
        { targetContractAddress: payee, value: '0', encodedData: `0x${'ab'.repeat(index + 1)}` },
      ],
    })
  const answers = await Promise.all(Array.from({ length: attempts }, (_, index) => ask(index)))
  // On a busy machine some builds answer 503. They take nothing from the budget.
  const unavailable = [...answers.keys()].filter((index) => answers[index]?.status === 503)
  const built = answers.filter((answer) => answer?.status === 200)
  const rejected = answers.filter((answer) => answer?.body.code === 'PAYMASTER_REFUSED')
  for (const answer of rejected) expect(answer?.body).toMatchObject({ policy: 'ten', refusal: 'unsent' })
  expect([built.length, rejected.length]).toEqual([10, attempts - 10 - unavailable.length])
  // The failed builds are repeated one by one. Ten builds wait for their signatures.
  for (const index of unavailable)
    expect((await ask(index))?.body).toMatchObject({ policy: 'ten', refusal: 'unsent' })

  const rows = await service.database.db.selectFrom('sponsorships').selectAll().execute()
  expect(rows).toHaveLength(10)
  // The operator signs only operations that have a row. Refused builds have none.
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
  expect(total).toMatchObject({ promises: 10, promised: reserved, operations: 0, taken: 0n })
})
