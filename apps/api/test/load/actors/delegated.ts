import { entryPointV08 } from '@lanyard/networks'
import { randomPrivateKey } from '@lanyard/testing'
import { parseEther, type TypedDataDefinition } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { operationOf, outputNetwork, type Stage } from '../stage.ts'

/**
 * Upgrades one EOA after the other, and sends again. Two replicas get each signature and authorisation at once: the EOA
 * delegates once, and each operation is included once.
 */
export async function delegatedActor(stage: Stage): Promise<void> {
  while (stage.isRunning()) {
    const owner = privateKeyToAccount(randomPrivateKey())
    await stage.client.send({
      kind: 'create',
      path: '/smart-account/create',
      body: { eoaAddress: owner.address, type: 'eip7702' },
    })
    await stage.chains.on(outputNetwork).chain.setBalance({ address: owner.address, value: parseEther('10') })
    for (const value of ['1', '2']) await operate(stage, owner, value)
  }
}

async function operate({ client, signed }: Stage, owner: PrivateKeyAccount, value: string): Promise<void> {
  const { body } = await client.send({
    kind: 'build',
    path: '/smart-account/transaction/build',
    body: {
      network: String(outputNetwork),
      walletAddress: owner.address,
      transactionDetails: [{ targetContractAddress: owner.address, value, encodedData: '0x' }],
    },
  })
  signed(operationOf(body.userOp, outputNetwork, entryPointV08))
  const submission = {
    kind: 'submit',
    path: '/smart-account/transaction/submit',
    body: { walletAddress: owner.address, ...(await sign(owner, body)) },
  }
  const answers = await Promise.all([client.send(submission), client.send(submission)])
  const texts = new Set(answers.map(({ text }) => text))
  if (texts.size > 1)
    throw new Error(`One signature has two different responses: ${[...texts].join(' and ')}`)
}

interface DelegatedBuild {
  readonly typedData: TypedDataDefinition
  readonly authorization?: Parameters<PrivateKeyAccount['signAuthorization']>[0]
}

async function sign(owner: PrivateKeyAccount, { typedData, authorization }: DelegatedBuild) {
  const { EIP712Domain: _, ...types } = typedData.types
  const signature = await owner.signTypedData({ ...typedData, types } as TypedDataDefinition) // of the build
  if (!authorization) return { signature }
  const { chainId, address, nonce, r, s, yParity } = await owner.signAuthorization(authorization)
  return { signature, authorization: { chainId, address, nonce, r, s, yParity } }
}
