/* What a press begins. A page is first looked at, so it loads this with the first press. */

export { createAccount } from './create-account.ts'
export { sendCalls } from './send-calls.ts'
export { signIn } from './sign-in.ts'
export { signAccountMessage } from './sign-message.ts'
