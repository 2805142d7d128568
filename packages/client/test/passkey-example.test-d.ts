import { computeAccountAddress } from '@lanyard/accounts'
import { ceremonyBody, createLanyardClient, passkeyOwner, verifyTransactionOptions } from '@lanyard/client'
import {
  type PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  type PublicKeyCredentialRequestOptionsJSON as RequestOptions,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

const lanyard = createLanyardClient({ baseUrl: 'http://localhost:3000' })
const username = 'alice'
const network = '31337'

// Register. The account's address follows from the passkey's public key, so it need not be taken on trust.
const creation = await lanyard.webauthn.registerOptions({ username })
const registration = await startRegistration({ optionsJSON: creation as CreationOptions })
const { wallet } = await lanyard.webauthn.registerVerify({ username, ...ceremonyBody(registration) })
const owner = passkeyOwner(registration)
if (!owner || computeAccountAddress(owner) !== wallet.scw_address)
  throw new Error('Not the account of this passkey')

// Fund it: anybody can send to the address; local networks have a faucet.
await lanyard.wallet.faucet({ walletAddress: wallet.scw_address, network })

// Build an operation, and verify it before the person is asked to sign.
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const request = {
  transactionDetails: [{ encodedData: '0x', targetContractAddress: recipient, value: '1000' }],
}
const options = await lanyard.webauthn.transactionOptions({ username, network, ...request })
const { calls, cost } = verifyTransactionOptions({ options, request, owner, network })
console.log(calls, `at most ${cost} wei`)

// Sign and send.
const { userOp, ...optionsJSON } = options
const assertion = await startAuthentication({ optionsJSON: optionsJSON as RequestOptions })
const { success, txnHash } = await lanyard.webauthn.transactionVerify({
  username,
  ...ceremonyBody(assertion),
})
console.log(success, txnHash)
