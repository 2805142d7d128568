import { createLanyardClient, signBuild } from '@lanyard/client'
import { privateKeyToAccount } from 'viem/accounts'

const lanyard = createLanyardClient({ baseUrl: process.env.LANYARD_URL ?? 'http://127.0.0.1:3000' })
// PUBLIC: anvil's second account.
const owner = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')

const { wallet } = await lanyard.smartAccount.create({ eoaAddress: owner.address })
const request = {
  network: '31338',
  walletAddress: wallet.scw_address,
  transactionDetails: [{ targetContractAddress: owner.address, value: '1000', encodedData: '0x' }],
}
await lanyard.wallet.faucet({ network: '31338', walletAddress: wallet.scw_address })
const build = await lanyard.smartAccount.build(request)
const signature = await signBuild({ build, request, signer: owner }) // rejects anything that differs from the request
console.log(await lanyard.smartAccount.submit({ walletAddress: wallet.scw_address, signature }))
