// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Vault} from "../../smart-balance/Vault.sol";
import {Withdrawals} from "../../smart-balance/Withdrawals.sol";
import {Vm} from "../Test.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract WithdrawTest is SmartBalanceTest {
    address private constant RECIPIENT = address(0x4EC);

    struct Terms {
        address account;
        address to;
        uint128 amount;
        uint128 fee;
        bytes32 salt;
        uint48 deadline;
    }

    function setUp() public override {
        super.setUp();
        _on(A);
        _deposit(address(this), 100e6);
    }

    function test_default() public {
        _withdraw(_terms(), _cosign(_terms(), OPERATOR_KEY));
        assertEq(tokenOn[A].balanceOf(RECIPIENT), 60e18, "received");
        assertEq(_balance(address(this)), 39e6, "balance");
        assertEq(smartBalance.liquidity(), LIQUIDITY + 1e6, "the fee");
    }

    /// @dev The digest is that of the co-signature, which the operator's own test recovers.
    function test_event_Withdrawn() public {
        bytes memory signature = _cosign(_terms(), OPERATOR_KEY);
        vm.recordLogs();
        _withdraw(_terms(), signature);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory log = logs[0];
        assertTrue(log.emitter == address(smartBalance), "emitter");
        assertTrue(log.topics[0] == Withdrawals.Withdrawn.selector, "event");
        assertTrue(log.topics[1] == bytes32(uint256(uint160(address(this)))), "account");
        assertTrue(log.topics[2] == bytes32(uint256(uint160(RECIPIENT))), "to");
        assertTrue(smartBalance.usedWithdrawal(log.topics[3]), "digest");
        assertEq(log.data, abi.encode(60e6, 1e6), "amount and fee");
    }

    /// @dev The last second in which it may be used.
    function test_behavior_atTheDeadline() public {
        bytes memory signature = _cosign(_terms(), OPERATOR_KEY);
        Terms memory terms = _terms();
        vm.warp(terms.deadline);
        _withdraw(terms, signature);
    }

    function test_error_WithdrawalExpired() public {
        bytes memory signature = _cosign(_terms(), OPERATOR_KEY);
        Terms memory terms = _terms();
        vm.warp(block.timestamp + 10 minutes + 1);
        vm.expectPartialRevert(Withdrawals.WithdrawalExpired.selector);
        _withdraw(terms, signature);
    }

    function test_error_WithdrawalUsed() public {
        bytes memory signature = _cosign(_terms(), OPERATOR_KEY);
        _withdraw(_terms(), signature);
        vm.expectPartialRevert(Withdrawals.WithdrawalUsed.selector);
        _withdraw(_terms(), signature);
    }

    function test_error_WithdrawalNotCosigned_thirdParty() public {
        _expectNotCosigned(_terms(), _cosign(_terms(), THIRD_PARTY_KEY));
    }

    /// @dev A signature that recovers to address 0, while the owner has made address 0 an operator by mistake.
    function test_error_WithdrawalNotCosigned_broken() public {
        vm.prank(ADMIN);
        smartBalance.setOperator(address(0), true);
        _expectNotCosigned(_terms(), new bytes(65));
        _expectNotCosigned(_terms(), "");
    }

    /// @dev Attack 5. Guard: every argument and the caller are in the digest.
    function testFuzz_attack5_mutated(uint8 field) public {
        bytes memory signature = _cosign(_terms(), OPERATOR_KEY);
        Terms memory terms = _terms();
        field %= 5;
        if (field == 0) terms.to = address(0xBAD);
        if (field == 1) terms.amount += 1;
        if (field == 2) terms.fee -= 1;
        if (field == 3) terms.salt = bytes32(uint256(1));
        if (field == 4) terms.deadline += 1;
        _expectNotCosigned(terms, signature);
    }

    function test_attack5_otherAccount() public {
        _deposit(account, 100e6);
        bytes memory signature = _cosign(_terms(), OPERATOR_KEY);
        Terms memory terms = _terms();
        vm.prank(account);
        vm.expectPartialRevert(Withdrawals.WithdrawalNotCosigned.selector);
        smartBalance.withdraw(terms.to, terms.amount, terms.fee, terms.salt, terms.deadline, signature);
    }

    /// @dev Guard: the domain's chainId.
    function test_attack5_otherNetwork() public {
        bytes memory signature = _cosign(_terms(), OPERATOR_KEY);
        _on(B);
        _deposit(address(this), 100e6);
        _expectNotCosigned(_terms(), signature);
    }

    /// @dev All that does not exit.
    function test_behavior_all() public {
        smartBalance.requestExit(39e6);
        _withdraw(_terms(), _cosign(_terms(), OPERATOR_KEY));
        assertEq(_balance(address(this)), 39e6, "what exits");
    }

    function test_error_InsufficientBalance_exiting() public {
        smartBalance.requestExit(40e6);
        bytes memory signature = _cosign(_terms(), OPERATOR_KEY);
        vm.expectRevert(abi.encodeWithSelector(Vault.InsufficientBalance.selector, 60e6, 61e6));
        _withdraw(_terms(), signature);
    }

    function _terms() private view returns (Terms memory) {
        return Terms(address(this), RECIPIENT, 60e6, 1e6, 0, uint48(block.timestamp + 10 minutes));
    }

    function _cosign(Terms memory terms, uint256 key) private view returns (bytes memory) {
        bytes32 typeHash = keccak256(
            "Withdraw(address account,address to,uint128 amount,uint128 fee,bytes32 salt,uint48 deadline)"
        );
        bytes32 structHash = keccak256(abi.encode(typeHash, terms));
        return _sign(key, keccak256(abi.encodePacked("\x19\x01", _domain(block.chainid), structHash)));
    }

    function _withdraw(Terms memory terms, bytes memory signature) private {
        smartBalance.withdraw(terms.to, terms.amount, terms.fee, terms.salt, terms.deadline, signature);
    }

    function _expectNotCosigned(Terms memory terms, bytes memory signature) private {
        vm.expectPartialRevert(Withdrawals.WithdrawalNotCosigned.selector);
        _withdraw(terms, signature);
    }
}
