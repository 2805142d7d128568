import { randomPrivateKey } from '@lanyard/testing'
import { type Address, parseEther } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createLoadAccount } from '../create-load-account.ts'
import { operationOf, outputNetwork, type Stage } from '../stage.ts'

export interface EoaAccount {
  readonly owner: PrivateKeyAccount
  readonly address: Address
}

/** Creates and deploys the account of a new EOA. After that, clients can build for it concurrently. */
export async function createEoaAccount(stage: Stage): Promise<EoaAccount> {
  const owner = privateKeyToAccount(randomPrivateKey())
  const address = await createLoadAccount(stage, owner.address)
  await stage.chains.on(outputNetwork).chain.setBalance({ address, value: parseEther('1000') })
  const account = { owner, address }
  await operate(stage, account, {})
  return account
}

async function operate(
  { client, signed }: Stage,
  { owner, address }: EoaAccount,
  more: object,
  copies = 1,
): Promise<void> {
  const { body } = await client.send({
    kind: 'build',
    path: '/smart-account/transaction/build',
    body: { network: String(outputNetwork), walletAddress: address, ...more },
  })
  signed(operationOf(body.userOp, outputNetwork))
  const submission = {
    kind: 'submit',
    path: '/smart-account/transaction/submit',
    body: {
      walletAddress: address,
      signature: await owner.signMessage({ message: { raw: body.messageToSign } }),
    },
  }
  const answers = await Promise.all(Array.from({ length: copies }, () => client.send(submission)))
  const texts = new Set(answers.map(({ text }) => text))
  if (texts.size > 1)
    throw new Error(`One signature has two different responses: ${[...texts].join(' and ')}`)
}

/** Builds and submits transfers of an account that other actors use at the same time. */
export async function eoaActor(stage: Stage, account: EoaAccount): Promise<void> {
  const transactionDetails = [{ targetContractAddress: account.owner.address, value: '1', encodedData: '0x' }]
  for (let turn = 0; stage.isRunning(); turn++) {
    // In every third turn, two replicas get the same signature at once under two keys. It is still one operation.
    await operate(stage, account, { transactionDetails }, turn % 3 === 0 ? 2 : 1)
  }
}
