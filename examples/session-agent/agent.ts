/**
 * An agent with its own key. The owner lets it pay 0.005 ether in total. It pays 0.001 at a time until that
 * is spent and the next payment is rejected. Run it against `npm start`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createLanyardClient,
  createSessionKey,
  LanyardApiError,
  signBuild,
  signSessionBuild,
  verifySessionPlan,
} from '@lanyard/client'
import { type Address, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const lanyard = createLanyardClient({ baseUrl: process.env.LANYARD_URL ?? 'http://127.0.0.1:3000' })
const pause = Number(process.env.PAUSE ?? 3000) // milliseconds between payments
const network = '31337'
const payee = '0x00000000000000000000000000000000DeaDBeef'

// The owner, who signs once. PUBLIC key: anvil's third account.
const owner = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a')
const { wallet } = await lanyard.smartAccount.create({ eoaAddress: owner.address })
const account = wallet.scw_address as Address // typed as string in the document
await lanyard.wallet.faucet({ network, walletAddress: account })
const { networks } = await lanyard.system.networks()
// likewise
const sessionKeys = networks.find((one) => String(one.network) === network)?.sessionKeys as Address

// The agent. Its key cannot be exported, not even by this program.
const agent = await createSessionKey()
const now = Math.floor(Date.now() / 1000)
const grant = {
  network,
  walletAddress: account,
  sessionKey: agent.sessionKey,
  validAfter: now - 60,
  validUntil: now + 3600,
  permissions: [
    { type: 'native-token-allowance' as const, allowance: String(parseEther('0.005')), to: [payee] },
    { type: 'gas-fee-allowance' as const, allowance: String(parseEther('0.1')), operations: 10 },
  ],
}

// The owner checks what is granted, and signs exactly that.
const plan = await lanyard.sessionKey.enable(grant)
const { description } = verifySessionPlan({ plan, request: grant, account, sessionKeys })
console.log(['The agent may:', ...description].join('\n- '))
const { userOp, messageToSign, signMode } = plan
if (!userOp || !messageToSign || !signMode) throw new Error('No EOA owns this account')
const request = { network, walletAddress: account, transactionDetails: plan.transactionDetails }
const approval = await signBuild({ build: { userOp, messageToSign, signMode }, request, signer: owner })
await lanyard.smartAccount.submit({ walletAddress: account, signature: approval })

/** Makes one payment, signed by the agent alone. */
async function pay(): Promise<void> {
  const payment = {
    network,
    walletAddress: account,
    signMode: 'SESSION_KEY',
    sessionKey: agent.sessionKey,
    transactionDetails: [
      { targetContractAddress: payee, value: String(parseEther('0.001')), encodedData: '0x' },
    ],
  }
  const build = await lanyard.smartAccount.build(payment)
  const signature = await signSessionBuild({ build, request: payment, account, sessionKeys, signer: agent })
  const submission = { walletAddress: account, signature, signatureType: 'SESSION_KEY' }
  const { txnHash } = await lanyard.smartAccount.submit(submission)
  console.log(`paid 0.001 ether: ${txnHash}`)
}

for (;;) {
  try {
    await pay()
  } catch (error) {
    if (!(error instanceof LanyardApiError) || error.code !== 'SESSION_REFUSED') throw error
    console.log(`refused: ${error.message}`)
    break
  }
  await sleep(pause)
}
