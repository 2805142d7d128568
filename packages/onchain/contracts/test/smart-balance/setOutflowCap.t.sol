// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Administration} from "../../smart-balance/Administration.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract SetOutflowCapTest is SmartBalanceTest {
    function test_default() public {
        vm.prank(ADMIN);
        smartBalance.setOutflowCap(5);
        (uint104 cap,,) = smartBalance.outflow();
        assertEq(cap, 5, "cap");
    }

    /// @dev The maximum that a stolen operator key can lend.
    function test_error_OutflowCapExceeded() public {
        _claim(CAP - 1, "");
        _claim(1, "");
        _claim(1, abi.encodeWithSelector(Administration.OutflowCapExceeded.selector, 0, 1));
    }

    /// @dev An amount above the remainder, while some of the cap is left.
    function test_error_OutflowCapExceeded_aboveTheRemainder() public {
        _claim(CAP - 1, "");
        _claim(2, abi.encodeWithSelector(Administration.OutflowCapExceeded.selector, 1, 2));
    }

    function test_behavior_resetsEveryHour() public {
        // 1_800_000_000 is the first second of an hour.
        _claim(CAP, "");
        vm.warp(block.timestamp + 1 hours - 1);
        _claim(1, abi.encodeWithSelector(Administration.OutflowCapExceeded.selector, 0, 1));
        vm.warp(block.timestamp + 1);
        _claim(100e6, "");
    }

    function test_behavior_loweredBelowTheSpentAmount() public {
        _claim(200e6, "");
        vm.prank(ADMIN);
        smartBalance.setOutflowCap(100e6);
        _claim(1, abi.encodeWithSelector(Administration.OutflowCapExceeded.selector, 0, 1));
    }

    function test_error_notOwner() public {
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.setOutflowCap(5);
    }

    function _claim(uint128 amount, bytes memory expected) private {
        Draft memory draft = _draft();
        draft.nonce = uint256(keccak256(abi.encode(amount, expected, block.timestamp)));
        draft.claimAmount = amount;
        // At most the debit that 1.01 × amount and the flat fee allow.
        draft.debits[0].amount = 2e6;
        PackedUserOperation memory op = _build(draft);
        vm.prank(address(entryPoint));
        smartBalance.validatePaymasterUserOp(op, 0, 0);
        vm.prank(account);
        if (expected.length != 0) vm.expectRevert(expected);
        smartBalance.claim(draft.nonce);
    }
}
