import { randomPrivateKey } from '@lanyard/testing'
import type { Address } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { payee } from '../../orders/order-chains.ts'
import { createLoadAccount } from '../create-load-account.ts'
import { operationOf, outputNetwork, type Stage, sourceNetwork } from '../stage.ts'

/** What one order pays out; 6 decimals. */
export const orderAmount = 1_000_000n

export interface Spender {
  readonly owner: PrivateKeyAccount
  readonly account: Address
  readonly deposited: bigint
  /** Of every order that was submitted. */
  readonly orderIds: string[]
}

/** An account with a deposit on one network, and no ether anywhere. */
export async function createSpender(stage: Stage): Promise<Spender> {
  const owner = privateKeyToAccount(randomPrivateKey())
  const account = await createLoadAccount(stage, owner.address)
  const deposited = 100_000n * orderAmount
  await stage.chains.deposit(sourceNetwork, account, deposited, { kind: 'eoa', address: owner.address })
  return { owner, account, deposited, orderIds: [] }
}

/** Spends on the other network, order after order. */
export async function orderActor(
  { client, chains, goesOn, signed }: Stage,
  { owner, account, orderIds }: Spender,
): Promise<void> {
  while (goesOn()) {
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
