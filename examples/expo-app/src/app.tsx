import { LanyardProvider, useBalance, useLanyard, useSendCalls } from '@lanyard/react/core'
import { useState } from 'react'
import { Button, SafeAreaView, Text, TextInput } from 'react-native'
import { formatEther } from 'viem'
import { ceremony } from './ceremony.ts'

/** Remembers accounts until the app ends. `react-native-mmkv` keeps them longer, and has functions of the same shape. */
const remembered = new Map<string, string>()
const storage = {
  getItem: (key: string) => remembered.get(key) ?? null,
  setItem: (key: string, value: string) => void remembered.set(key, value),
}

function TipJar() {
  const { account, createAccount, signIn, error } = useLanyard()
  const { data } = useBalance()
  const tip = useSendCalls()
  const [name, setName] = useState('')
  const pay = () => tip.send([{ to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: 10n ** 16n }])
  return account ? (
    <>
      <Text>{account.address}</Text>
      <Text>{data ? `${formatEther(data.native)} ETH` : 'Loading…'}</Text>
      <Button title="Tip 0.01 ETH" disabled={!data?.native || tip.isBusy} onPress={() => void pay()} />
      <Text>{tip.error?.message ?? tip.transactionHash ?? ''}</Text>
    </>
  ) : (
    <>
      <TextInput
        value={name}
        onChangeText={setName}
        placeholder="Your name"
        autoCapitalize="none"
        autoComplete="username"
      />
      <Button title="Create an account" onPress={() => void createAccount(name)} />
      <Button title="Sign in" onPress={() => void signIn()} />
      <Text>{error?.message ?? ''}</Text>
    </>
  )
}

export const App = () => (
  <LanyardProvider
    service="https://wallet.example"
    network={8453}
    publishableKey="lk_public_…"
    appId="com.example.wallet"
    ceremony={ceremony}
    storage={storage}
  >
    <SafeAreaView>
      <TipJar />
    </SafeAreaView>
  </LanyardProvider>
)
