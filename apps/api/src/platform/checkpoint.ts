import { channel } from 'node:diagnostics_channel'

/**
 * Called between two steps that move money, with the step's name. Each layer declares its own names, so that
 * a wrong name does not compile.
 */
export type Checkpoint<Name extends string = string> = (name: Name) => Promise<void>

/** A module that tests preload ends the process at one of them: test/kill/crash-at.ts. */
const passed = channel('lanyard:checkpoint')

/** Publishes the name to the diagnostics channel `lanyard:checkpoint`. Without a subscriber it does nothing. */
export const publishCheckpoint: Checkpoint = async (name) => passed.publish(name)
