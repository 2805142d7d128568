import { epochsAddress } from '@lanyard/onchain'
import { finding } from '../finding.ts'
import type { Check } from '../subject.ts'

/** Epochs is where the other contracts read it. Its address follows from its code, so nothing else can be there. */
export const checkEpochs: Check = async ({ network }) => {
  const { ownership, sessionKeys, smartBalance, chainId } = network.config
  if (!ownership && !sessionKeys && !smartBalance) return []
  const code = await network.call((client) => client.getCode({ address: epochsAddress }))
  if (code !== undefined) return []
  return [
    finding('EPOCHS_NO_CODE', {
      message: 'Epochs is missing: no session can be granted or used, and no debit can be collected.',
      expected: `Epochs at ${epochsAddress}`,
      seen: 'no code',
      fix: `\`lanyard deploy-session-keys --network ${chainId}\` and the other commands that deploy contracts deploy it, too.`,
    }),
  ]
}
