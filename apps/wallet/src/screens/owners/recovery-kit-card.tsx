import { Download } from 'lucide-react'
import type { Network } from '../../networks/use-networks.ts'
import { recoveryKit } from '../../owners/recovery-kit.ts'
import { knownAccount } from '../../session/known-account.ts'
import { useSession } from '../../session/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { download } from '../../ui/download.ts'

/** The account's description, to be kept outside of this service. */
export function RecoveryKitCard({ networks }: { networks: readonly Network[] }) {
  const { username, account } = useSession()
  const publicKey = knownAccount(username)?.publicKey
  return (
    <Card aria-labelledby="kit" className="grid gap-3 p-5">
      <h2 id="kit" className="font-semibold">
        Recovery kit
      </h2>
      <p className="text-muted text-sm">
        A small file that describes your account, so that a recovery owner can reach it with any Safe tool
        even when this service is gone. It holds no secret. A network that is added later starts with your
        first passkey alone, so come back here then.
      </p>
      {publicKey ? (
        <Button
          look="secondary"
          className="justify-self-start"
          onClick={() =>
            download(
              `lanyard-${account.slice(0, 8)}.json`,
              recoveryKit({ username, account, publicKey }, networks),
            )
          }
        >
          <Download className="size-4" aria-hidden="true" />
          Download the kit
        </Button>
      ) : (
        <p className="text-sm">
          Open this page in the browser where you made the account: only it knows the key.
        </p>
      )}
    </Card>
  )
}
