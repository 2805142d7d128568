/**
 * Signs 32 bytes with personal_sign, as a wallet does: `sign.ts <private key> <hash>` prints the signature.
 */
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const [key, hash] = process.argv.slice(2)
if (!key || !hash || !/^0x[0-9a-fA-F]{64}$/.test(key) || !/^0x[0-9a-fA-F]{64}$/.test(hash)) {
  console.error('Usage: npm run --silent sign -- <0x private key, 32 bytes> <0x hash, 32 bytes>')
  process.exit(2)
}
const account = privateKeyToAccount(key as Hex) // checked above
console.log(await account.signMessage({ message: { raw: hash as Hex } }))
