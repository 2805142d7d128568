import { Button, CopyButton, Details, FullAddress, Notice } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type Address, isAddressEqual } from 'viem'
import { trpc } from '../../api/trpc.ts'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { readServiceError } from '../../errors/service-error.ts'
import { type Guardian, isRefused, problemTexts, worstProblem } from '../../guardians/guardian.ts'
import { type GuardianAnswer, invitationLink, isAnswerOf, readAnswer } from '../../guardians/invitation.ts'
import { passkeyOf } from '../../guardians/sign-as-guardian.ts'
import { t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { type LookAlike, lookAlikeOf } from '../../recipients/look-alike.ts'
import { LookAlikeNotice } from '../../recipients/look-alike-notice.tsx'
import { type Recipient, readRecipient } from '../../recipients/recipient.ts'
import { RecipientField } from '../../recipients/recipient-field.tsx'
import { findUser, nobodyText } from '../../recipients/use-recipient-lookup.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { namePasskey } from '../../signers/passkey/name-passkey.ts'

interface AddGuardianProps {
  readonly members: readonly Address[]
  /** True after an attempt to sign without guardians. */
  readonly missing: boolean
  readonly onAdd: (address: Address, known: Known) => void
}

/** What is known of a guardian who is added. */
interface Known {
  readonly username: string | undefined
  readonly answer: GuardianAnswer | undefined
}

/** Somebody to add, and what the service found about them. */
interface Candidate {
  readonly found: Guardian
  /** Their account, if they have one here: a guardian is the signer of its passkey. */
  readonly person: Recipient
  readonly answer: GuardianAnswer | undefined
}

/**
 * Adds one guardian: by link, username, contact or address. Each is checked on every network first, and a friend with an account is
 * named by their passkey.
 */
export function AddGuardian({ members, missing, onAdd }: AddGuardianProps) {
  const session = useSession()
  const { account, username } = session
  const { hash } = useLocation()
  const navigate = useNavigate()
  const { data: networks = [] } = useNetworks()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Recipient>()
  const [error, setError] = useState<string>()
  const [doubtful, setDoubtful] = useState<Candidate>()
  const [alike, setAlike] = useState<{ readonly candidate: Candidate; readonly lookAlike: LookAlike }>()

  const add = ({ found, answer }: Candidate) => {
    setText('')
    setChosen(undefined)
    setDoubtful(undefined)
    setAlike(undefined)
    // Not among the recipients: money that is sent to a signer contract is lost.
    onAdd(found.guardian, { username: found.username, answer })
  }
  const checking = useCancellableMutation<Candidate, { name: string; answer?: GuardianAnswer | undefined }>({
    mutationFn: async (signal, { name, answer }) => {
      const key = answer?.key && namePasskey(answer.key)
      const found = await trpc.guardian.check.mutate({ account, guardian: name, key }, { signal })
      passkeyOf(found) // the address must follow from the passkey that the service names
      const user = found.username ? await findUser(found.username, signal) : undefined
      const person = user ?? { address: found.guardian, username: found.username }
      return { found, person, answer }
    },
    onSuccess: (candidate) => {
      const { found, person } = candidate
      if (members.some((member) => isAddressEqual(member, found.guardian)))
        return setError(t('This guardian is already in the list.'))
      const problem = worstProblem(found)
      if (problem && isRefused(problem)) return setError(problemTexts[problem])
      const lookAlike = lookAlikeOf(person, session)
      if (lookAlike) return setAlike({ candidate, lookAlike })
      proceed(candidate)
    },
  })
  const proceed = (candidate: Candidate) => {
    const { found, answer } = candidate
    const problem = worstProblem(found)
    setAlike(undefined)
    // Who answered has signed.
    if (problem && !(problem === 'UNPROVEN' && answer)) return setDoubtful(candidate)
    add(candidate)
  }
  const begin = (name: string, answer?: GuardianAnswer) => {
    setError(undefined)
    setDoubtful(undefined)
    setAlike(undefined)
    checking.mutate({ name, answer })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (checking.isPending) return
    const typed = readRecipient(text)
    if (chosen) return begin(chosen.address)
    if (typed.kind === 'wrong') return setError(typed.message)
    begin(typed.kind === 'address' ? typed.address : typed.name)
  }
  const name = checking.variables?.name ?? ''
  const isNobody = readServiceError(checking.error)?.code === 'UNKNOWN_WALLET'
  const invitation = invitationLink({ account, name: username })
  const answer = readAnswer(hash)
  const close = () => void navigate({ hash: '' }, { replace: true })
  const problem = doubtful && worstProblem(doubtful.found)
  return (
    <form onSubmit={submit} className="grid gap-3" noValidate>
      {answer && (
        <Answer
          account={account}
          answer={answer}
          onAdd={() => {
            close()
            begin(answer.guardian, answer)
          }}
          onIgnore={close}
        />
      )}
      <RecipientField
        label={t('Guardian')}
        text={text}
        chosen={chosen}
        error={
          error ??
          (isNobody ? nobodyText(name) : missing && !doubtful ? t('Add at least one guardian.') : undefined)
        }
        onChange={({ recipient, chosen: next }) => {
          setText(recipient)
          setChosen(next)
          setError(undefined)
          setDoubtful(undefined)
          setAlike(undefined)
          checking.reset()
        }}
      />
      {checking.error && !isNobody && <ErrorNotice error={checking.error} />}
      {alike && (
        <LookAlikeNotice
          key={alike.candidate.person.address}
          recipient={alike.candidate.person}
          lookAlike={alike.lookAlike}
          isConfirmed={false}
          error={undefined}
          onConfirm={() => proceed(alike.candidate)}
          instead={t('Choose the known one instead')}
          onInstead={() => {
            const { address, contact, username: name } = alike.lookAlike.known
            setAlike(undefined)
            setText(contact ?? name ?? address)
            setChosen({ address, username: name })
          }}
        />
      )}
      {doubtful && problem && (
        <Notice
          tone="warning"
          title={problemTexts[problem]}
          action={
            <Button variant="secondary" size="small" onClick={() => add(doubtful)}>
              {t('Add it anyway')}
            </Button>
          }
        >
          <FullAddress address={doubtful.found.guardian} />
          <p>
            {problem === 'NOT_THERE'
              ? t('It could not help you on {networks}.', {
                  networks: nameNetworks(
                    doubtful.found.networks.flatMap((one) => (one.problem ? [one.network] : [])),
                    networks,
                  ),
                })
              : t('Better: send the person the link below. Who answers it has signed once.')}
          </p>
        </Notice>
      )}
      <Button type="submit" variant="secondary" className="justify-self-start" busy={checking.isPending}>
        {t('Add guardian')}
      </Button>
      <Details summary={t('Invite by link')}>
        <p className="mb-2 text-muted text-sm">
          {t('Send this link. The person signs once to show that they can, and sends you a link back.')}
        </p>
        <div className="flex flex-wrap items-center gap-3 rounded-field bg-sunken p-3">
          <code className="min-w-0 flex-1 break-all font-mono text-xs">{invitation}</code>
          <CopyButton text={invitation} label={t('Copy the link')} />
        </div>
      </Details>
    </form>
  )
}

interface AnswerProps {
  readonly account: Address
  readonly answer: GuardianAnswer
  readonly onAdd: () => void
  readonly onIgnore: () => void
}

/** An answer to an invitation, once this device has checked it. */
function Answer({ account, answer, onAdd, onIgnore }: AnswerProps) {
  const { data: isValid } = useQuery({
    queryKey: ['guardian-answer', account, answer.guardian, answer.signature],
    queryFn: () => isAnswerOf(account, answer),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isValid === undefined) return null
  if (!isValid)
    return (
      <Notice
        tone="error"
        title={t('This answer was not signed for your account.')}
        action={
          <Button size="small" variant="secondary" onClick={onIgnore}>
            {t('Ignore')}
          </Button>
        }
      >
        {t('Ask the person to open your link again.')}
      </Notice>
    )
  return (
    <Notice
      title={t('Your invitation has an answer.')}
      action={
        <div className="flex flex-wrap gap-2.5">
          <Button size="small" onClick={onAdd}>
            {t('Add this guardian')}
          </Button>
          <Button size="small" variant="secondary" onClick={onIgnore}>
            {t('Ignore')}
          </Button>
        </div>
      }
    >
      <FullAddress address={answer.guardian} />
      <p>{t('A link can come from anyone. Ask the person by phone whether this address is theirs.')}</p>
    </Notice>
  )
}
