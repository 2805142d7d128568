// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OperationSimulator} from "../OperationSimulator.sol";
import {PackedUserOperation} from "../interfaces/ERC4337.sol";
import {Test} from "./Test.sol";
import {SenderCreator, TestAccount, TestFactory} from "./mocks/Accounts.sol";
import {Counter} from "./mocks/Targets.sol";

/// @dev The simulator at EntryPoint's address, as a state override puts it there.
abstract contract SimulatorTest is Test {
    address internal constant ENTRY_POINT = 0x0000000071727De22E5E9d8BAf0edAc6f37da032;
    /// The contract that EntryPoint's constructor created.
    address internal constant SENDER_CREATOR = 0xEFC2c1444eBCC4Db75e7613d20C6a62fF67A167C;
    uint256 internal constant GAS_CAP = 10_000_000;
    uint256 internal constant PREFUND = 0.01 ether;

    OperationSimulator internal simulator = OperationSimulator(payable(ENTRY_POINT));
    TestAccount internal account = new TestAccount();
    TestFactory internal factory = new TestFactory();
    Counter internal counter = new Counter();

    function setUp() public virtual {
        vm.etch(ENTRY_POINT, _create(_creationCode("OperationSimulator"), "").code);
        vm.etch(SENDER_CREATOR, type(SenderCreator).runtimeCode);
        vm.deal(address(account), 1 ether);
        vm.deal(ENTRY_POINT, 100 ether);
    }

    /// @dev An operation of `account` that increments `counter`.
    function operation() internal view returns (PackedUserOperation memory op) {
        op.sender = address(account);
        op.callData = calling(address(counter), abi.encodeCall(Counter.increment, ()));
        op.gasFees = bytes32(uint256(1 gwei));
    }

    function calling(address target, bytes memory data) internal pure returns (bytes memory) {
        return abi.encodeCall(TestAccount.execute, (target, data));
    }

    function simulate(PackedUserOperation memory op) internal returns (OperationSimulator.Result memory) {
        return simulator.simulate(op, PREFUND, GAS_CAP);
    }

    /// @dev Slot 0 of EntryPoint: mapping(address => DepositInfo), whose first word is the deposit.
    function setDeposit(address of_, uint256 amount) internal {
        vm.store(ENTRY_POINT, depositSlot(of_), bytes32(amount));
    }

    function depositOf(address of_) internal view returns (uint256) {
        return uint256(vm.load(ENTRY_POINT, depositSlot(of_)));
    }

    function depositSlot(address of_) private pure returns (bytes32) {
        return keccak256(abi.encode(of_, uint256(0)));
    }
}
