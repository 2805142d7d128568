import { randomPrivateKey } from '@lanyard/testing'
import type { Address } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { payee } from '../../orders/order-chains.ts'
import { createLoadAccount } from '../create-load-account.ts'
import { operationOf, outputNetwork, type Stage, sourceNetwork } from '../stage.ts'

/** Amount of each order; 6 decimals. */
export const orderAmount = 1_000_000n

export interface Spender {
  readonly owner: PrivateKeyAccount
  readonly account: Address
  readonly deposited: bigint
  /** The order ids of all submitted orders. */
  readonly orderIds: string[]
}

/** Creates an account with a deposit on one network and no native coin on any. */
export async function createSpender(stage: Stage): Promise<Spender> {
  const owner = privateKeyToAccount(randomPrivateKey())
  const account = await createLoadAccount(stage, owner.address)
  const deposited = 100_000n * orderAmount
  await stage.chains.deposit(sourceNetwork, account, deposited, { kind: 'eoa', address: owner.address })
  return { owner, account, deposited, orderIds: [] }
}

/** Spends on the other network, one order at a time. */
export async function orderActor(
  { client, chains, isRunning, signed }: Stage,
  { owner, account, orderIds }: Spender,
): Promise<void> {
  while (isRunning()) {
    const { body } = await client.send({
      kind: 'order build',
      path: '/smart-account/transaction/build',
      body: {
        network: String(outputNetwork),
        walletAddress: account,
        transactionDetails: [chains.transfer(outputNetwork, payee, orderAmount)],
        orderData: { amount: String(orderAmount) },
      },
    })
    signed(operationOf(body.userOp, outputNetwork))
    orderIds.push(body.order.orderId)
    await client.send({
      kind: 'order submit',
      path: '/smart-account/transaction/submit',
      body: { walletAddress: account, signature: await owner.sign({ hash: body.messageToSign }) },
    })
  }
}
