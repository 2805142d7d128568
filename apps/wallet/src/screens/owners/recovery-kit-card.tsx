import { Download } from 'lucide-react'
import { trpc } from '../../api/trpc.ts'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { formatRecoveryKit, verifyRecoveryKit } from '../../owners/recovery-kit.ts'
import { useSession } from '../../session/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { download } from '../../ui/download.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'

/** Beside the wallet, as long as the service lives; the same file works from anywhere. */
const recoveryPage = new URL('/recovery', window.location.href).href

/** The account's description, to be kept outside of this service. */
export function RecoveryKitCard() {
  const { username, account } = useSession()
  const kit = useCancellableMutation({
    mutationFn: async (signal) => {
      const answer = await trpc.owner.recoveryKit.query({ walletAddress: account }, { signal })
      verifyRecoveryKit(answer, account)
      return formatRecoveryKit(answer, username, recoveryPage)
    },
    onSuccess: (text) => download(`lanyard-${account.slice(0, 8)}.json`, text),
  })
  return (
    <Card aria-labelledby="kit" className="grid gap-3 p-5">
      <h2 id="kit" className="font-semibold">
        Recovery kit
      </h2>
      <p className="text-muted text-sm">
        A small file that describes your account, so that an owner can move everything out of it even when
        this service is gone. It holds no secret. The{' '}
        <a
          className="text-accent underline underline-offset-2"
          href={recoveryPage}
          target="_blank"
          rel="noreferrer"
        >
          page that does it
        </a>{' '}
        is one file too: save both. A passkey works on this site’s address only; a recovery address works from
        anywhere. A network that is added later starts with your first passkey alone, so come back here then.
      </p>
      {kit.error && <ErrorNotice error={kit.error} />}
      <Button
        look="secondary"
        className="justify-self-start"
        busy={kit.isPending}
        onClick={() => kit.mutate()}
      >
        {!kit.isPending && <Download className="size-4" aria-hidden="true" />}
        Download the kit
      </Button>
      {kit.isSuccess && (
        <p role="status" className="text-muted text-sm">
          Checked on this device: your address follows from what is in the file.
        </p>
      )}
    </Card>
  )
}
