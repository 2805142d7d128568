import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { nativeCurrency } from '../primitives/native-currency.ts'
import { networkInteger } from '../primitives/network.ts'
import { walletAddress } from '../smart-account/wallet.ts'

export const recoveryKit = endpoint({
  method: 'GET',
  path: '/smart-account/owner/recovery-kit',
  tag: 'Owners',
  bucket: 'reads',
  access: withKey,
  scope: 'read',
  summary: 'Everything that is needed to use the wallet without this service',
  description:
    'Keep this file. With it, an owner can deploy the account anywhere and use it with ordinary transactions. A passkey works only on the domain of its RP ID, so a recovery owner should be an EOA.',
  query: z.object({ walletAddress }),
  output: z.object({
    walletAddress: addressOutput,
    factory: addressOutput,
    singleton: addressOutput,
    saltNonce: decimalOutput,
    initializer: hexOutput.meta({
      description: 'Deploys the account: factory.createProxyWithNonce(singleton, initializer, saltNonce).',
    }),
    module: addressOutput.meta({ description: 'Safe4337Module.' }),
    entryPoint: addressOutput,
    ownership: addressOutput.optional().meta({
      description: 'The Ownership module, if the account is created with it.',
    }),
    eoaAddress: addressOutput.optional().meta({ description: 'The first owner, if it is an EOA.' }),
    passkey: z
      .object({
        rpId: z.string(),
        x: hexOutput,
        y: hexOutput,
        verifiers: hexOutput.meta({ description: 'uint176: precompile ‖ fallback verifier.' }),
        sharedSigner: addressOutput,
      })
      .optional()
      .meta({ description: 'The first owner, if it is a passkey.' }),
    credentialIds: z.array(z.string()).optional().meta({
      description:
        "The user's passkeys, for authenticators that answer only if the request names them. Only with the user's own token.",
    }),
    networks: z.array(
      z.object({
        network: networkInteger,
        name: z.string(),
        nativeCurrency: nativeCurrency.optional(),
        rpcUrl: z.url().optional().meta({ description: 'Present if it is public.' }),
        smartBalance: addressOutput.optional().meta({
          description: 'To take deposits out, call requestExit and, after its delay, finalizeExit.',
        }),
        tokens: z
          .array(addressOutput)
          .meta({ description: 'The tokens that the service knows on this network.' }),
      }),
    ),
  }),
  errors: ['UNKNOWN_WALLET'],
})
