// SPDX-License-Identifier: MIT
// @promise 13 23 A.9
pragma solidity ^0.8.28;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {EXIT_DELAY} from "../../smart-balance/Constants.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";
import {HookToken, Listener} from "../smart-balance/Tokens.sol";

/// @notice Attack: call a function of SmartBalance while another one moves tokens. The token notifies the attacker of
/// every transfer, as ERC-777 does, and the attacker has all roles: owner, account and depositor.
/// @dev Guard: the lock, of each function separately. Every test first shows that the same call succeeds without it.
contract ReenterTest is SmartBalanceTest {
    Listener private constant ATTACKER = Listener(address(0x400C));

    function setUp() public override {
        super.setUp();
        _deposit(address(ATTACKER), 100e6);
        tokenOn[O].mint(address(ATTACKER), 1);
        vm.prank(ADMIN);
        smartBalance.transferOwnership(address(ATTACKER));
        vm.startPrank(address(ATTACKER));
        smartBalance.acceptOwnership();
        smartBalance.requestExit(40e6);
        vm.stopPrank();
        vm.warp(block.timestamp + EXIT_DELAY);
        tokenOn[O].mint(address(this), 1);
        tokenOn[O].approve(address(smartBalance), 1);
        vm.etch(address(tokenOn[O]), address(new HookToken()).code);
        vm.etch(address(ATTACKER), address(new Listener()).code);
    }

    function test_withDepositFor() public {
        vm.prank(address(ATTACKER));
        tokenOn[O].approve(address(smartBalance), 1);
        _expectLocked(abi.encodeCall(smartBalance.depositFor, (address(ATTACKER), 1)));
    }

    function test_withWithdraw() public {
        uint48 deadline = uint48(block.timestamp);
        bytes32 typeHash = keccak256(
            "Withdraw(address account,address to,uint128 amount,uint128 fee,bytes32 salt,uint48 deadline)"
        );
        bytes32 structHash = keccak256(abi.encode(typeHash, ATTACKER, ATTACKER, 1e6, 0, 0, deadline));
        bytes memory signature =
            _sign(OPERATOR_KEY, keccak256(abi.encodePacked("\x19\x01", _domain(block.chainid), structHash)));
        _expectLocked(
            abi.encodeCall(smartBalance.withdraw, (address(ATTACKER), 1e6, 0, 0, deadline, signature))
        );
    }

    function test_withFinalizeExit() public {
        _expectLocked(abi.encodeCall(smartBalance.finalizeExit, (address(ATTACKER))));
    }

    function test_withWithdrawLiquidity() public {
        _expectLocked(abi.encodeCall(smartBalance.withdrawLiquidity, (address(ATTACKER), 1e6)));
    }

    function test_withClaim() public {
        Draft memory draft = _draft();
        draft.account = address(ATTACKER);
        PackedUserOperation memory op = _build(draft);
        vm.prank(address(entryPoint));
        smartBalance.validatePaymasterUserOp(op, 0, 0);
        _expectLocked(abi.encodeCall(smartBalance.claim, (draft.nonce)));
    }

    /// @dev The attacker plays the part of EntryPoint, since only EntryPoint may validate.
    function test_withValidation() public {
        PackedUserOperation memory op = _build(_draft());
        vm.etch(address(entryPoint), address(new Listener()).code);
        Listener listener = Listener(address(entryPoint));
        bytes memory call = abi.encodeCall(smartBalance.validatePaymasterUserOp, (op, 0, 0));
        listener.arm(address(smartBalance), call);
        listener.again();
        assertTrue(listener.succeeded(), "passes without the lock");

        ATTACKER.arm(address(entryPoint), abi.encodeCall(Listener.again, ()));
        _outer();
        assertTrue(ATTACKER.called() && !listener.succeeded(), "refused");
        assertTrue(
            bytes4(listener.returned()) == ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector, "by the lock"
        );
    }

    /// @dev The attacker makes the call during another user's deposit, and then on its own.
    function _expectLocked(bytes memory data) private {
        ATTACKER.arm(address(smartBalance), data);
        _outer();
        assertTrue(ATTACKER.called() && !ATTACKER.succeeded(), "refused");
        assertTrue(
            bytes4(ATTACKER.returned()) == ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector, "by the lock"
        );
        vm.prank(address(ATTACKER));
        (bool success,) = address(smartBalance).call(data);
        assertTrue(success, "passes without the lock");
    }

    function _outer() private {
        smartBalance.depositFor(address(this), 1);
    }
}
