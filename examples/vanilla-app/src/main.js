import { computeAccountAddress, toOwner } from '@lanyard/accounts'
import {
  ceremonyBody,
  createLanyardClient,
  isSignedBy,
  passkeyOwner,
  verifyTransactionOptions,
} from '@lanyard/client'

const lanyard = createLanyardClient({ baseUrl: 'http://localhost:3000' })
const network = '31337'
const find = (selector) => document.querySelector(selector)
const read = () => JSON.parse(localStorage.getItem('account') ?? 'null')

/** Creates a passkey. The address of its account follows from its public key, so the service is not trusted with it. */
async function createAccount(username) {
  const options = await lanyard.webauthn.registerOptions({ username })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const answer = (await navigator.credentials.create({ publicKey })).toJSON()
  const { wallet } = await lanyard.webauthn.registerVerify({ username, ...ceremonyBody(answer) })
  const owner = passkeyOwner(answer)
  if (!owner || computeAccountAddress(owner) !== wallet.scw_address) throw new Error('Another account')
  localStorage.setItem('account', JSON.stringify({ username, address: wallet.scw_address }))
}

/** Signs in on another device. The service says which account it is; its address has to follow from the passkey that just signed. */
async function signIn() {
  const { passkeyAuthenticationOptions } = await lanyard.webauthn.discoverOptions({})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(passkeyAuthenticationOptions)
  const answer = (await navigator.credentials.get({ publicKey })).toJSON()
  const { username } = await lanyard.webauthn.discoverVerify(ceremonyBody(answer))
  const { scw_address: address } = (await lanyard.user.details({ username })).wallet
  const { passkey } = await lanyard.owner.recoveryKit({ walletAddress: address })
  const owner = passkey && toOwner(passkey)
  if (!owner || computeAccountAddress(owner) !== address || !(await isSignedBy(owner, answer.response)))
    throw new Error('Another account')
  localStorage.setItem('account', JSON.stringify({ username, address }))
}

/** Pays. What the passkey signs is recomputed from this request before the person is asked. */
async function pay({ username, address }, to, wei) {
  const request = { transactionDetails: [{ encodedData: '0x', targetContractAddress: to, value: wei }] }
  const options = await lanyard.webauthn.transactionOptions({ username, network, ...request })
  const owner = { kind: 'account', address }
  verifyTransactionOptions({ options, request, owner, network })
  const { userOp, ...challenge } = options
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(challenge)
  const answer = (await navigator.credentials.get({ publicKey })).toJSON()
  return lanyard.webauthn.transactionVerify({ username, ...ceremonyBody(answer) })
}

async function show() {
  const account = read()
  find('form').hidden = account !== null
  find('section').hidden = account === null
  if (!account) return
  const { balances } = await lanyard.wallet.balances({ walletAddress: account.address })
  const { native } = balances.find((balance) => balance.network === network)
  find('h2').textContent = `${(Number(native) / 1e18).toFixed(4)} ETH`
}

/** Runs what a button does, and says how it went. */
async function run(what) {
  find('[role=status]').textContent = '…'
  try {
    await what()
    find('[role=status]').textContent = 'Done.'
  } catch (error) {
    find('[role=status]').textContent = error.message
  }
  await show()
}

find('form').addEventListener('submit', (event) => {
  event.preventDefault()
  void run(() => createAccount(find('input').value))
})
find('#sign-in').addEventListener('click', () => run(signIn))
find('#fund').addEventListener('click', () =>
  run(() => lanyard.wallet.faucet({ walletAddress: read().address, network })),
)
find('#tip').addEventListener('click', () =>
  run(() => pay(read(), '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '10000000000000000')),
)
await show()
