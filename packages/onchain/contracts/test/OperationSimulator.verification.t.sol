// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OperationSimulator} from "../OperationSimulator.sol";
import {PackedUserOperation} from "../interfaces/ERC4337.sol";
import {SimulatorTest} from "./SimulatorTest.sol";
import {CallingBackAccount, CatchingAccount, TestAccount, TestFactory} from "./mocks/Accounts.sol";

/// @dev Takes the place of EntryPoint's own code at ENTRY_POINT_CODE.
contract EntryPointCode {
    function balanceOf(address) external pure returns (uint256) {
        return 7;
    }
}

contract OperationSimulatorVerificationTest is SimulatorTest {
    bytes32 private constant SALT = "salt";

    function test_default() public {
        OperationSimulator.Result memory result = simulate(operation());

        assertEq(result.failure, 0, "failure");
        assertEq(result.validationData, 0, "validationData");
        assertEq(result.creationGasUsed, 0, "creationGasUsed");
        assertTrue(result.verification.tight, "tight");
        // Value to EntryPoint (9,000), two new slots there (44,200), a cold account, and the rest.
        assertWithin(result.verification.used, 60_000, 90_000, "used");
        assertWithin(
            result.verification.limit,
            result.verification.used,
            result.verification.used * 104 / 100 + 1_000,
            "limit"
        );
    }

    function test_verification_prefundBecomesADeposit() public {
        simulate(operation());
        // Paid in, then reserved by EntryPoint.
        assertEq(depositOf(address(account)), 0, "deposit");
        assertEq(address(account).balance, 1 ether - PREFUND, "balance");
    }

    function test_verification_noPaymentWithADeposit() public {
        uint256 paying = simulate(operation()).verification.used;
        setUp();
        setDeposit(address(account), 1 ether);
        PackedUserOperation memory op = operation();
        op.nonce = 1;
        uint256 deposited = simulate(op).verification.used;
        assertTrue(deposited + 20_000 < paying, "cheaper by the value transfer and a new slot");
    }

    function test_verification_returnsValidationData() public {
        PackedUserOperation memory op = operation();
        op.signature = abi.encode(uint256(1));
        assertEq(simulate(op).validationData, 1, "validationData");
    }

    function test_verification_createsTheSender() public {
        PackedUserOperation memory op = creation(TestFactory.Mode.Create);
        vm.deal(op.sender, 1 ether);
        OperationSimulator.Result memory result = simulate(op);

        assertEq(result.failure, 0, "failure");
        assertTrue(op.sender.code.length != 0, "created");
        // CREATE2 and 200 gas a byte.
        assertTrue(result.creationGasUsed > 32_000 + 200 * op.sender.code.length, "creationGasUsed");
        assertTrue(result.verification.used > result.creationGasUsed, "used");
        assertTrue(result.executionSucceeded, "execution");
    }

    /// @dev With too little gas, such an account returns "wrong signature" instead of reverting.
    function test_verification_limitSufficesForAnAccountThatCatches() public {
        CatchingAccount catching = new CatchingAccount();
        setDeposit(address(catching), 1 ether);
        PackedUserOperation memory op = operation();
        op.sender = address(catching);
        OperationSimulator.Result memory result = simulate(op);

        assertEq(result.validationData, 0, "validationData");
        assertTrue(result.verification.limit > result.verification.used, "more than it uses");
        assertEq(validateWith(op, result.verification.limit), 0, "at the limit");
        assertEq(validateWith(op, result.verification.limit * 95 / 100), 1, "below it");
    }

    function test_verification_callBackToEntryPoint() public {
        CallingBackAccount callingBack = new CallingBackAccount();
        setDeposit(address(callingBack), 1 ether);
        PackedUserOperation memory op = operation();
        op.sender = address(callingBack);

        OperationSimulator.Result memory result = simulate(op);
        assertEq(result.failure, 23, "failure without EntryPoint's code");
        assertEq(
            result.failureData,
            abi.encodeWithSelector(OperationSimulator.EntryPointCodeNotGiven.selector, bytes4(0x70a08231)),
            "failureData"
        );

        vm.etch(simulator.ENTRY_POINT_CODE(), type(EntryPointCode).runtimeCode);
        assertEq(simulate(op).validationData, 7, "result of EntryPoint's code");
    }

    // ------------------------------------------------------------------------------------------ failures

    function test_verification_AA10_senderAlreadyConstructed() public {
        PackedUserOperation memory op = operation();
        op.initCode = abi.encodePacked(
            address(factory), abi.encodeCall(factory.create, (SALT, TestFactory.Mode.Create))
        );
        assertEq(simulate(op).failure, 10, "failure");
    }

    function test_verification_AA13_factoryReverts() public {
        OperationSimulator.Result memory result = simulate(creation(TestFactory.Mode.Revert));
        assertEq(result.failure, 13, "failure");
        assertEq(
            result.failureData, abi.encodeWithSelector(TestFactory.FactoryRefused.selector), "failureData"
        );
    }

    function test_verification_AA13_noFactory() public {
        PackedUserOperation memory op = creation(TestFactory.Mode.Create);
        op.initCode = hex"1234";
        assertEq(simulate(op).failure, 13, "failure");
    }

    function test_verification_AA14_otherSender() public {
        PackedUserOperation memory op = creation(TestFactory.Mode.Create);
        op.sender = address(0xdead);
        OperationSimulator.Result memory result = simulate(op);
        assertEq(result.failure, 14, "failure");
        assertEq(result.failureData, abi.encode(factory.addressOf(SALT)), "failureData");
    }

    function test_verification_AA15_nothingCreated() public {
        assertEq(simulate(creation(TestFactory.Mode.CreateNothing)).failure, 15, "failure");
    }

    function test_verification_AA20_noAccount() public {
        PackedUserOperation memory op = operation();
        op.sender = address(0xdead);
        assertEq(simulate(op).failure, 20, "failure");
    }

    function test_verification_AA21_prefundNotPaid() public {
        PackedUserOperation memory op = operation();
        // TestAccount does not pay if the signature has two bytes.
        op.signature = hex"0000";
        assertEq(simulate(op).failure, 21, "failure");
        op = operation();
        vm.deal(op.sender, 0);
        assertEq(simulate(op).failure, 21, "failure without balance");
    }

    function test_verification_AA23_validationReverts() public {
        PackedUserOperation memory op = operation();
        op.signature = hex"00";
        OperationSimulator.Result memory result = simulate(op);
        assertEq(result.failure, 23, "failure");
        assertEq(
            result.failureData,
            abi.encodeWithSelector(TestAccount.ValidationRefused.selector, 0),
            "failureData"
        );
    }

    function test_verification_AA25_nonce() public {
        PackedUserOperation memory op = operation();
        op.nonce = 1;
        assertEq(simulate(op).failure, 25, "sequence ahead");
        op.nonce = 5 << 64;
        assertEq(simulate(op).failure, 0, "another key begins at 0");
    }

    function test_verification_AA26_gasCapTooLow() public {
        OperationSimulator.Result memory result = simulator.simulate(operation(), PREFUND, 45_000);
        assertEq(result.failure, 26, "failure");
    }

    function test_attempt_InternalCallOnly() public {
        OperationSimulator.Inputs memory inputs;
        vm.expectRevert(abi.encodeWithSelector(OperationSimulator.InternalCallOnly.selector));
        simulator.attempt(operation(), OperationSimulator.Phase.Execution, inputs, 0);
    }

    // ------------------------------------------------------------------------------------------ helpers

    function creation(TestFactory.Mode mode) private view returns (PackedUserOperation memory op) {
        op = operation();
        op.sender = factory.addressOf(SALT);
        op.initCode = abi.encodePacked(address(factory), abi.encodeCall(factory.create, (SALT, mode)));
    }

    function validateWith(PackedUserOperation memory op, uint256 gasLimit) private returns (uint256) {
        // The simulation has warmed it; in its own transaction it is cold.
        vm.cool(op.sender);
        return CatchingAccount(payable(op.sender)).validateUserOp{gas: gasLimit}(op, 0, 0);
    }
}
