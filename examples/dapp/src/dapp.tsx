import { useState } from 'react'
import { parseEther } from 'viem'
import {
  useCallsStatus,
  useConnect,
  useConnection,
  useConnectors,
  useDisconnect,
  usePublicClient,
  useSendCalls,
  useSignMessage,
  useSignTypedData,
} from 'wagmi'

const payee = '0x00000000000000000000000000000000000000Ad'
const message = 'Hello from a page on another origin'
const greeting = {
  domain: { name: 'Example', chainId: 31_337 },
  types: { Greeting: [{ name: 'text', type: 'string' }] },
  primaryType: 'Greeting',
  message: { text: 'Hello' },
} as const

/** Connects, signs, and sends two calls in one batch. */
export function Dapp() {
  const { address, status } = useConnection()
  const connectors = useConnectors()
  const connect = useConnect()
  const disconnect = useDisconnect()
  return (
    <main>
      <h1>A page that uses your wallet</h1>
      <p role="status">{status === 'connected' ? `Connected as ${address}` : status}</p>
      {address ? (
        <>
          <button type="button" onClick={() => disconnect.mutate()}>
            Disconnect
          </button>
          <SignMessage address={address} />
          <SignTypedData address={address} />
          <SendCalls />
        </>
      ) : (
        connectors.map((connector) => (
          <button key={connector.uid} type="button" onClick={() => connect.mutate({ connector })}>
            Connect {connector.name}
          </button>
        ))
      )}
      {connect.error && <p role="alert">{connect.error.message}</p>}
    </main>
  )
}

interface SignerProps {
  readonly address: `0x${string}`
}

/** A smart account's signature is verified on its network, even before the account is deployed (ERC-6492). */
function SignMessage({ address }: SignerProps) {
  const client = usePublicClient()
  const [verified, setVerified] = useState<boolean>()
  const sign = useSignMessage({
    mutation: {
      onSuccess: async (signature) =>
        setVerified(await client?.verifyMessage({ address, message, signature })),
    },
  })
  return (
    <section>
      <button type="button" onClick={() => sign.mutate({ message })}>
        Sign a message
      </button>
      <output>{sign.error?.message ?? describe(verified)}</output>
    </section>
  )
}

function SignTypedData({ address }: SignerProps) {
  const client = usePublicClient()
  const [verified, setVerified] = useState<boolean>()
  const sign = useSignTypedData({
    mutation: {
      onSuccess: async (signature) =>
        setVerified(await client?.verifyTypedData({ ...greeting, address, signature })),
    },
  })
  return (
    <section>
      <button type="button" onClick={() => sign.mutate(greeting)}>
        Sign typed data
      </button>
      <output>{sign.error?.message ?? describe(verified)}</output>
    </section>
  )
}

const describe = (verified: boolean | undefined) =>
  verified === undefined ? '' : verified ? 'Verified on the network' : 'Not verified'

function SendCalls() {
  const send = useSendCalls()
  const calls = useCallsStatus({
    id: send.data?.id ?? '',
    query: {
      enabled: send.data !== undefined,
      refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 1_000 : false),
    },
  })
  const to = payee
  return (
    <section>
      <button
        type="button"
        onClick={() =>
          send.mutate({
            calls: [
              { to, value: parseEther('0.01') },
              { to, value: 1n },
            ],
          })
        }
      >
        Send two calls
      </button>
      <output>
        {send.error?.message}
        {calls.data && `Calls: ${calls.data.status}`}
      </output>
    </section>
  )
}
