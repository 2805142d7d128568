// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OperationSimulator} from "../OperationSimulator.sol";
import {IAccountExecute, PackedUserOperation} from "../interfaces/ERC4337.sol";
import {SimulatorTest} from "./SimulatorTest.sol";
import {ExecutingAccount} from "./mocks/Accounts.sol";
import {Counter, Demanding, Endless, GasDependent, Swallower} from "./mocks/Targets.sol";

contract OperationSimulatorExecutionTest is SimulatorTest {
    function test_default() public {
        OperationSimulator.Result memory result = simulate(operation());

        assertTrue(result.executionSucceeded, "succeeded");
        assertTrue(result.execution.tight, "tight");
        // Cold target (2,600), new slot (22,100), two calls.
        assertWithin(result.execution.used, 24_700, 30_000, "used");
        assertWithin(result.execution.limit, result.execution.used, result.execution.used + 2_500, "limit");
        assertEq(counter.count(), 1, "ran once, for the phases after it");
    }

    function test_execution_noCallForEmptyCallData() public {
        PackedUserOperation memory op = operation();
        op.callData = "";
        OperationSimulator.Result memory result = simulate(op);
        assertTrue(result.executionSucceeded, "succeeded");
        assertEq(result.execution.used, 0, "used");
    }

    function test_execution_reverts() public {
        PackedUserOperation memory op = operation();
        op.callData = calling(address(counter), abi.encodeCall(Counter.refuse, ()));
        OperationSimulator.Result memory result = simulate(op);

        assertEq(result.failure, 0, "not rejected: EntryPoint includes such an operation");
        assertTrue(!result.executionSucceeded, "failed");
        assertEq(
            result.executionData, abi.encodeWithSelector(Counter.CounterRefused.selector, 0), "revert data"
        );
        assertEq(result.execution.limit, 0, "no limit suffices");
        assertTrue(result.execution.used != 0, "used");
    }

    /// @dev With too little gas, the call succeeds and the work is left undone, so success alone proves nothing.
    function test_execution_limitSufficesForACaughtInnerCall() public {
        Swallower swallower = new Swallower();
        for (uint256 slots = 1; slots <= 64; slots *= 4) {
            PackedUserOperation memory op = operation();
            op.nonce = slots << 64;
            op.callData = calling(address(swallower), abi.encodeCall(Swallower.work, (slots)));
            uint256 snapshot = swallower.swallowed();
            OperationSimulator.Result memory result = simulate(op);

            assertTrue(result.executionSucceeded, "succeeded");
            assertTrue(result.execution.tight, "tight");
            // _measure ran it at this limit.
            assertEq(swallower.swallowed(), snapshot, "nothing swallowed at the limit");
        }
    }

    function test_execution_limitCoversWhatIsDemanded() public {
        Demanding demanding = new Demanding();
        PackedUserOperation memory op = operation();
        op.callData = calling(address(demanding), abi.encodeCall(Demanding.work, (1_000_000)));
        OperationSimulator.Result memory result = simulate(op);

        assertTrue(result.execution.used < 60_000, "used");
        // The demanded gas, and the gas that two levels withhold, to 2 %.
        assertWithin(result.execution.limit, 1_000_000, 1_060_000, "limit");
        assertEq(demanding.done(), 1, "done at the limit");
    }

    function test_execution_limitForCodeThatReadsItsGas() public {
        GasDependent dependent = new GasDependent();
        PackedUserOperation memory op = operation();
        op.callData = calling(address(dependent), abi.encodeCall(GasDependent.work, ()));
        OperationSimulator.Result memory result = simulate(op);

        assertTrue(result.executionSucceeded, "succeeded");
        assertTrue(result.execution.limit < 200_000, "not the whole cap");
        assertEq(dependent.seen(), 1, "done at the limit");
    }

    function test_execution_endlessCodeIsBounded() public {
        Endless endless = new Endless();
        PackedUserOperation memory op = operation();
        op.callData = calling(address(endless), abi.encodeCall(Endless.work, ()));
        OperationSimulator.Result memory result = simulator.simulate{gas: 30_000_000}(op, PREFUND, GAS_CAP);

        assertTrue(!result.executionSucceeded, "failed");
        assertEq(result.executionData.length, 0, "out of gas has no reason");
    }

    /// @dev 8.9M gas within an eth_call of 30M: the limit suffices, and is as tight as the remaining gas allowed.
    function test_execution_largeWithinA30MCall() public {
        PackedUserOperation memory op = operation();
        op.callData = calling(address(counter), abi.encodeCall(Counter.fill, (400)));
        OperationSimulator.Result memory result = simulator.simulate{gas: 30_000_000}(op, PREFUND, 20_000_000);

        assertTrue(result.executionSucceeded, "succeeded");
        assertWithin(result.execution.limit, result.execution.used, 15_000_000, "limit");
    }

    function test_execution_executeUserOp() public {
        ExecutingAccount executing = new ExecutingAccount();
        setDeposit(address(executing), 1 ether);
        PackedUserOperation memory op = operation();
        op.sender = address(executing);
        op.callData = abi.encodePacked(IAccountExecute.executeUserOp.selector, hex"1234");
        OperationSimulator.Result memory result = simulate(op);

        assertTrue(result.executionSucceeded, "succeeded");
        assertTrue(executing.executedHash() == result.userOpHash, "hash");
    }

    /// forge-config: default.fuzz.runs = 32
    function testFuzz_execution_limitSuffices(uint8 slots) public {
        vm.assume(slots != 0);
        Swallower swallower = new Swallower();
        PackedUserOperation memory op = operation();
        op.callData = calling(address(swallower), abi.encodeCall(Swallower.work, (slots)));
        OperationSimulator.Result memory result = simulate(op);
        assertEq(swallower.swallowed(), 0, "nothing swallowed");
        assertWithin(
            result.execution.limit, result.execution.used, result.execution.used * 108 / 100 + 4_000, "limit"
        );
    }
}
