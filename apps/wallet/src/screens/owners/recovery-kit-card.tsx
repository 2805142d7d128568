import { Button, Card, download, readStored, Time, writeStored } from '@lanyard/ui'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Address } from 'viem'
import { trpc } from '../../api/trpc.ts'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { rich, t } from '../../i18n/t.ts'
import { fetchNetworks } from '../../networks/use-networks.ts'
import { formatRecoveryKit, verifyRecoveryKit } from '../../sign-in/recovery-kit.ts'
import { useSession } from '../../sign-in/session-context.tsx'

/** The service serves the page beside the wallet. The same file works from anywhere. */
const recoveryPage = new URL('/recovery', window.location.href).href

/** Downloads the account's recovery kit, to be stored outside this service. */
export function RecoveryKitCard() {
  const { username, account } = useSession()
  const [savedAt, setSavedAt] = useState(() => kitSavedAt(account))
  const kit = useCancellableMutation({
    mutationFn: async (signal) => {
      const answer = await trpc.owner.recoveryKit.query({ walletAddress: account }, { signal })
      await verifyRecoveryKit(answer, account, () => fetchNetworks({ signal }))
      return formatRecoveryKit(answer, username, recoveryPage)
    },
    onSuccess: (text) => {
      download(`lanyard-${account.slice(0, 8)}.json`, text)
      rememberSavedKit(account, Date.now())
      setSavedAt(Date.now())
    },
  })
  return (
    <Card aria-labelledby="kit" className="grid gap-3 p-5">
      <h2 id="kit" className="font-semibold">
        {t('Recovery kit')}
      </h2>
      <p className="text-muted text-sm">
        {rich(
          'A small file that describes your account. With it, an owner can move everything out even if this service is gone. It contains no secret. Save it together with the {link}, which is also one file. A passkey works only on this site’s address. A recovery address works anywhere. A network that is added later starts with your first passkey alone, so come back then.',
          {
            link: (
              <a
                className="text-accent underline underline-offset-2"
                href={recoveryPage}
                target="_blank"
                rel="noreferrer"
              >
                {t('recovery page')}
              </a>
            ),
          },
        )}
      </p>
      <p className="text-sm">
        {savedAt === undefined
          ? t('Not saved from this browser yet.')
          : rich('Saved on {time}', { time: <Time at={new Date(savedAt).toISOString()} /> })}
      </p>
      {kit.error && <ErrorNotice error={kit.error} />}
      <Button
        variant="secondary"
        className="justify-self-start"
        busy={kit.isPending}
        onClick={() => kit.mutate()}
      >
        {!kit.isPending && <Download className="size-4" aria-hidden="true" />}
        {t('Download the kit')}
      </Button>
      {kit.isSuccess && (
        <p role="status" className="text-muted text-sm">
          {t('Checked on this device: the file describes your account.')}
        </p>
      )}
    </Card>
  )
}

const keyOf = (account: Address) => `lanyard.kit.${account.toLowerCase()}`

/** When the recovery kit was saved in this browser, in Unix milliseconds. */
function kitSavedAt(account: Address): number | undefined {
  const time = readStored(keyOf(account))
  return Number.isSafeInteger(time) ? Number(time) : undefined
}

function rememberSavedKit(account: Address, time: number): void {
  writeStored(keyOf(account), time)
}
