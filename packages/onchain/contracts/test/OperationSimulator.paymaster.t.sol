// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OperationSimulator} from "../OperationSimulator.sol";
import {IPaymaster, PackedUserOperation} from "../interfaces/ERC4337.sol";
import {SimulatorTest} from "./SimulatorTest.sol";
import {Counter} from "./mocks/Targets.sol";
import {TestPaymaster} from "./mocks/TestPaymaster.sol";

contract OperationSimulatorPaymasterTest is SimulatorTest {
    TestPaymaster private paymaster = new TestPaymaster();

    function setUp() public override {
        super.setUp();
        setDeposit(address(paymaster), 1 ether);
    }

    function test_default() public {
        OperationSimulator.Result memory result = simulate(sponsored(1));

        assertEq(result.failure, 0, "failure");
        assertEq(result.paymasterValidationData, uint256(4_000_000_000) << 160, "validUntil");
        assertTrue(result.paymasterVerification.used > 5_000, "used");
        assertTrue(result.paymasterVerification.limit >= result.paymasterVerification.used, "limit");
        assertTrue(result.postOpSucceeded, "postOp");
        // Two slots, one of them new (mode opSucceeded is 0).
        assertWithin(result.postOp.used, 22_000, 35_000, "postOp used");
        assertTrue(result.postOp.limit >= result.postOp.used, "postOp limit");
        assertEq(paymaster.charged(), PREFUND, "highest cost");
        assertEq(depositOf(address(paymaster)), 1 ether - PREFUND, "reserved from the paymaster");
        assertEq(address(account).balance, 1 ether, "the account pays nothing");
    }

    function test_paymaster_noPostOpWithoutContext() public {
        OperationSimulator.Result memory result = simulate(sponsored(0));
        assertTrue(result.postOpSucceeded, "postOp");
        assertEq(result.postOp.used, 0, "postOp used");
        assertEq(paymaster.charged(), 0, "charged");
    }

    function test_paymaster_postOpAfterAFailedExecution() public {
        PackedUserOperation memory op = sponsored(1);
        op.callData = calling(address(counter), abi.encodeCall(Counter.refuse, ()));
        OperationSimulator.Result memory result = simulate(op);
        assertTrue(!result.executionSucceeded, "execution");
        assertTrue(result.postOpSucceeded, "postOp");
        assertTrue(paymaster.lastMode() == IPaymaster.PostOpMode.opReverted, "mode");
    }

    function test_paymaster_postOpReverts() public {
        OperationSimulator.Result memory result = simulate(sponsored(3));
        assertEq(result.failure, 0, "failure");
        assertTrue(!result.postOpSucceeded, "postOp");
        assertEq(
            result.postOpData, abi.encodeWithSelector(TestPaymaster.PostOpRefused.selector), "postOpData"
        );
    }

    function test_paymaster_AA31_depositTooLow() public {
        setDeposit(address(paymaster), PREFUND - 1);
        assertEq(simulate(sponsored(1)).failure, 31, "failure");
    }

    function test_paymaster_AA33_reverts() public {
        OperationSimulator.Result memory result = simulate(sponsored(2));
        assertEq(result.failure, 33, "failure");
        assertEq(
            result.failureData, abi.encodeWithSelector(TestPaymaster.PaymasterRefused.selector), "failureData"
        );
    }

    function test_paymaster_AA33_noPaymaster() public {
        PackedUserOperation memory op = sponsored(1);
        setDeposit(address(0xdead), 1 ether);
        op.paymasterAndData = abi.encodePacked(address(0xdead), uint128(0), uint128(0));
        assertEq(simulate(op).failure, 33, "failure");
    }

    function test_paymaster_AA93_malformed() public {
        PackedUserOperation memory op = operation();
        op.paymasterAndData = hex"1234";
        assertEq(simulate(op).failure, 93, "failure");
    }

    function sponsored(uint8 mode) private view returns (PackedUserOperation memory op) {
        op = operation();
        op.paymasterAndData = abi.encodePacked(address(paymaster), uint128(0), uint128(0), mode);
    }
}
