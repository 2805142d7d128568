/** Prints a private key for TOKEN_KEY: `node deploy/make-token-key.mjs`. */
import { generateKeyPairSync } from 'node:crypto'

const { privateKey } = generateKeyPairSync('ed25519')
process.stdout.write(`${JSON.stringify(privateKey.export({ format: 'jwk' }))}\n`)
